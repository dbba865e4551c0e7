// A task with a follow-up and a short history, as the tests of its page need it.
import { createFakeClient } from "./fake-client.ts";
import { makeAgentType, makeEvent, makeOrganization, makeTask } from "./resource-factory.ts";

export const organization = makeOrganization();
export const developer = makeAgentType(organization);

export const setUp = (change: Parameters<typeof makeTask>[1] = {}) => {
  const task = makeTask(developer, { title: "Fix the login", ...change });
  const child = makeTask(developer, { title: "Review it", parent_id: task.id, root_id: task.id, depth: 1 });
  const tasks = [task, child];
  const events = [
    makeEvent(task, { type: "task.updated", data: { changes: { priority: { old: 0, new: 50 } } } }),
    makeEvent(task),
  ];
  const client = createFakeClient({ organizations: [organization], agentTypes: [developer], tasks, events });
  /** Somebody else changes the task while it is being edited. */
  const changeElsewhere = (fields: Partial<typeof task>) => {
    const [now = task] = tasks;
    tasks[0] = { ...now, ...fields, version: now.version + 1 };
  };
  return { task, child, tasks, events, client, changeElsewhere };
};
