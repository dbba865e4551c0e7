// A line of follow-ups as a tree: which task follows up on which.
import type { TaskSummary } from "@task-service/contract";

export interface LineNode {
  task: TaskSummary;
  /** In the order given. */
  followUps: LineNode[];
}

/** Those that follow up on none of the others stand at the top: the root, and whatever lost its parent. */
export const lineTree = (tasks: readonly TaskSummary[]): LineNode[] => {
  const nodes = new Map(tasks.map((task) => [task.id, { task, followUps: [] } as LineNode]));
  const tops: LineNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.task.parent_id === null ? undefined : nodes.get(node.task.parent_id);
    (parent?.followUps ?? tops).push(node);
  }
  return tops;
};

/** The ids of the task and of all it follows up on, as far as they are among the tasks. */
export const lineTo = (tasks: readonly TaskSummary[], id: string): ReadonlySet<string> => {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const ids = new Set<string>();
  for (let task = byId.get(id); task && !ids.has(task.id); task = byId.get(task.parent_id ?? "")) ids.add(task.id);
  return ids;
};

export const tokensOf = (tasks: readonly TaskSummary[]) => ({
  input: tasks.reduce((sum, { input_tokens }) => sum + input_tokens, 0),
  output: tasks.reduce((sum, { output_tokens }) => sum + output_tokens, 0),
});
