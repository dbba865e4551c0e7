// POST /tasks/bulk (D-17): up to 500 tasks in one statement, in the order given, all or none.
import type { Actor, Task, TaskBulk } from "@task-service/contract";
import type { CreationKey } from "../idempotency/creation-keys.ts";
import { RequestProblem } from "../platform/problems.ts";
import { type CreationDeps, createDrafted, draftTasks, isSound, persist } from "./task-creation.ts";
import type { NewTask } from "./task-queries.ts";

/** All that is wrong, each finding naming its task. What is not valid is told before what is valid but cannot be done. */
const problemOf = (drafts: readonly (NewTask | Error)[]): Error | undefined => {
  const problems = drafts.flatMap((draft, index) =>
    draft instanceof RequestProblem ? [{ index, problem: draft }] : [],
  );
  const told = problems.find(({ problem }) => problem.code === "invalid_request") ?? problems[0];
  if (!told) return drafts.find((draft) => draft instanceof Error);
  const errors = problems
    .filter(({ problem }) => problem.code === told.problem.code)
    .flatMap(({ index, problem: { errors = [] } }) =>
      errors.map(({ pointer, detail }) => ({ pointer: `/tasks/${index}${pointer}`, detail })),
    );
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more: see errors)` : "";
  return new RequestProblem(told.problem.code, `tasks/${told.index}: ${told.problem.message}${others}`, { errors });
};

/**
 * All of the tasks, or undefined if the key is bound already. Throws `invalid_request`, `unknown_assignee`,
 * `inactive_agent_type` or `follow_up_limit`; then nothing was created.
 */
export const createBulk = (
  deps: CreationDeps,
  { tasks }: TaskBulk,
  actor: Actor,
  key?: CreationKey,
): Promise<Task[] | undefined> =>
  persist(async () => {
    const drafts = await draftTasks(
      deps,
      tasks.map((request) => ({ request, actor })),
    );
    const problem = problemOf(drafts);
    if (problem) throw problem;
    const sound = drafts.filter(isSound);
    const created = await createDrafted(deps, sound, {
      keys: key ? [{ ...key, resource_ids: sound.map(({ id }) => id) }] : [],
    });
    return created.length === 0 ? undefined : created;
  });
