// How far follow-ups may go on (D-12): a chain of agents that never ends stops at these limits, not at a full disk.
import type { Sql } from "../platform/database.ts";
import { RequestProblem } from "../platform/problems.ts";
import type { NewTask } from "./task-queries.ts";
import type { Lineage } from "./task-references.ts";

export interface FollowUpLimits {
  /** The longest way from a root to a follow-up. */
  maxTaskDepth: number;
  /** The root itself among them. */
  maxTasksPerRoot: number;
}

const beyond = (detail: string): RequestProblem =>
  new RequestProblem("follow_up_limit", detail, { errors: [{ pointer: "/parent_id", detail }] });

/**
 * How many follow-ups each of the roots has, counted up to `most`. A root is looked up as a range, so that nothing but
 * the index of roots has them in that order: no statistics can turn it into a scan.
 */
export const countFollowUps = (sql: Sql, rootIds: readonly string[], most: number) => sql<
  { root_id: string; follow_ups: number }[]
>`
  select root_id, count(*) as follow_ups from unnest(${rootIds}::uuid[]) as root (id) cross join lateral (
    select root_id from tasks where root_id between root.id and root.id and depth > 0
    order by root_id, tasks.id limit ${most}
  ) follow_up
  group by root_id
`;

/** Refuses a new task that goes beyond the limits, with `follow_up_limit`; counts what it lets through. */
export type AdmitFollowUp = (task: NewTask) => void;

/** For the follow-ups of `parents`. Those being created at the same moment elsewhere are not counted. */
export const createFollowUpLimit = async (
  sql: Sql,
  { maxTaskDepth, maxTasksPerRoot }: FollowUpLimits,
  parents: Iterable<Lineage>,
): Promise<AdmitFollowUp> => {
  const rootIds = [...new Set(Iterator.from(parents).map(({ root_id }) => root_id))];
  const rows = rootIds.length === 0 ? [] : await countFollowUps(sql, rootIds, maxTasksPerRoot);
  const followUps = new Map(rows.map(({ root_id, follow_ups }) => [root_id, follow_ups]));
  return ({ parent_id, root_id, depth }) => {
    if (parent_id === null) return;
    if (depth > maxTaskDepth) {
      throw beyond(
        `A follow-up may be at most ${maxTaskDepth} steps from its root; leave parent_id out to begin a new root.`,
      );
    }
    const count = followUps.get(root_id) ?? 0;
    if (count + 1 >= maxTasksPerRoot) {
      throw beyond(
        `A root may have at most ${maxTasksPerRoot} tasks, itself among them; leave parent_id out to begin a new root, or delete tasks that are over.`,
      );
    }
    followUps.set(root_id, count + 1);
  };
};
