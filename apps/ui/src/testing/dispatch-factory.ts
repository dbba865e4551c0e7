// Makes dispatches that tests need, each valid and with only what matters named.
import type { AgentType, DispatchDetail, Task } from "@task-service/contract";
import { instant, nextId } from "./resource-factory.ts";

export const makeDispatch = (task: Task, type: AgentType, dispatch: Partial<DispatchDetail> = {}): DispatchDetail => {
  const { id, slug, name, description, body, is_active, source } = type;
  return {
    id: nextId(),
    task_id: task.id,
    organization_id: task.organization_id,
    agent_type_id: id,
    agent_type_version_id: nextId(),
    executor: "runner-1",
    actor: { sub: "runner", name: "runner" },
    attempt: 1,
    dispatched_at: instant,
    lease_seconds: 300,
    lease_expires_at: instant,
    last_heard_at: instant,
    input_tokens: 0,
    output_tokens: 0,
    ended_at: null,
    outcome: null,
    reason: null,
    agent_type: { id, slug, name, description, body, is_active, source },
    ...dispatch,
  };
};
