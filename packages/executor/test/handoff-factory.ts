// Handoffs as the service gives them, with what a test wants to be different.
import { randomUUID } from "node:crypto";
import type { Dispatch, Handoff } from "@task-service/contract";

type Task = Handoff["task"];

const now = "2026-11-21T09:30:00.000Z";
const actor = { sub: "alice", name: "alice" };
const organization = { organization_id: randomUUID(), organization_slug: "acme" };
const agentType = { id: randomUUID(), slug: "developer", name: "Developer", is_active: true };

export const persona = "\n## Role\nYou write code; naïve ☃ and exact:  two spaces.  \n\n";

const taskOf = (): Task => {
  const id = randomUUID();
  return {
    id,
    ...organization,
    title: "Fix the basket",
    prompt: "Fix the basket.\n",
    priority: 50,
    assignee_type: "agent",
    assignee: agentType.id,
    agent_type: agentType,
    state: "dispatched",
    needs_attention: false,
    labels: [],
    parent_id: null,
    root_id: id,
    depth: 0,
    git_link: null,
    git_state: null,
    result: null,
    input_tokens: 0,
    output_tokens: 0,
    dispatch_count: 1,
    current_dispatch_id: null,
    executor: null,
    dispatched_at: now,
    dispatch_ended_at: null,
    created_by: actor,
    created_at: now,
    updated_at: now,
    queued_at: now,
    version: 2,
  };
};

export const handoffOf = (task: Task = taskOf(), dispatch: Partial<Dispatch> = {}): Handoff => {
  const id = randomUUID();
  return {
    task: { ...task, current_dispatch_id: id },
    agent_type: {
      ...agentType,
      description: "Writes code",
      body: persona,
      source: { path: "personas/developer.md", commit: "c0ffee", blob_sha: "b10b", html_url: "http://git/x" },
    },
    notes: [],
    dispatch: {
      id,
      task_id: task.id,
      organization_id: task.organization_id,
      agent_type_id: agentType.id,
      agent_type_version_id: randomUUID(),
      executor: "test-1",
      actor,
      attempt: 1,
      dispatched_at: now,
      lease_seconds: 60,
      lease_expires_at: now,
      last_heard_at: now,
      input_tokens: 0,
      output_tokens: 0,
      ended_at: null,
      outcome: null,
      reason: null,
      ...dispatch,
    },
  };
};
