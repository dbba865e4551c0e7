// How tools answer a task: the few fields a model decides by, under the API's names, with its agent type as `create_task` takes it.
import { assigneeTypes, nullable, oneOf, type Task, type TaskSummary, taskStates, Uuid } from "@task-service/contract";
import Type, { type Static } from "typebox";

/** A task in a list. */
export const taskFields = {
  id: Uuid,
  title: Type.String(),
  state: oneOf(taskStates, {
    description:
      "`queued`: waits to be taken; `dispatched`: handed to a worker, which still runs unless dispatch_ended_at is set",
  }),
  dispatch_ended_at: nullable(Type.String(), {
    description: "When the worker's run was over; read `result` for what came of it",
  }),
  needs_attention: Type.Boolean({ description: "Workers failed too often: it waits for a person" }),
  assignee_type: nullable(oneOf(assigneeTypes)),
  assignee: nullable(Type.String(), { description: "`<organization>/<agent type>`, or a person's name" }),
  priority: Type.Integer(),
  labels: Type.Array(Type.String()),
  parent_id: nullable(Uuid, { description: "The task it follows up on" }),
  root_id: { ...Uuid, description: "Where its line of follow-ups began" },
  depth: Type.Integer({ description: "Follow-ups from its root to it" }),
  created_at: Type.String(),
};
export const TaskAnswer = Type.Object(taskFields);

export const taskAnswer = (task: Task | TaskSummary): Static<typeof TaskAnswer> => {
  const { id, title, state, dispatch_ended_at, needs_attention, assignee_type, priority, labels } = task;
  const { agent_type, organization_slug, parent_id, root_id, depth, created_at } = task;
  const assignee = agent_type ? `${organization_slug}/${agent_type.slug}` : task.assignee;
  const standing = { id, title, state, dispatch_ended_at, needs_attention };
  return { ...standing, assignee_type, assignee, priority, labels, parent_id, root_id, depth, created_at };
};

export const taskPage = Type.Object({
  items: Type.Array(TaskAnswer),
  next_cursor: nullable(Type.String(), { description: "Give it as `cursor` for the next page; null on the last" }),
});
