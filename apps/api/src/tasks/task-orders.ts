// The two orders of tasks that their ids do not tell (D-16): by the last change, as the history has it, and the queue's.

import type { Fragment, Sql } from "../platform/database.ts";
import type { QueueKey } from "./queue-positions.ts";
import type { QueuedTask } from "./task-columns.ts";
import type { RowFilters } from "./task-filters.ts";

/** An order that can be followed from any key on, and in which tasks that were found otherwise can be sorted. */
export interface Order<K extends readonly [string | number, string | number]> {
  /**
   * Selects `id`, `key_1` and `key_2` of the next tasks of all, or of those that `ids` names; a task may be there with a key
   * that is not its own any more.
   */
  candidates(after: K | undefined, limit: number, ids?: readonly string[]): Fragment;
  /** A condition on the task `t`: the keys of the candidate `c` are its own. */
  isCurrent: Fragment;
  /** The order of the keys. */
  by: Fragment;
  keyOf(task: QueuedTask): K;
}

/**
 * Newest change first. An index over `updated_at` would be written by every claim; but every change has an event of the same
 * instant, and the latest of them says when the task was changed last.
 */
export const byLastChange = (sql: Sql): Order<[updatedAt: string, id: string]> => {
  const beyond = (keys: Fragment, after: [string, string] | undefined) =>
    after === undefined ? sql`` : sql`and ${keys} < (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  return {
    candidates: (after, limit, ids) =>
      ids
        ? sql`
          select t.id, t.updated_at as key_1, t.id as key_2 from tasks t
          where t.id = any(${[...ids]}::uuid[]) ${beyond(sql`(t.updated_at, t.id)`, after)}
          order by t.updated_at desc, t.id desc limit ${limit}`
        : sql`
          select distinct e.task_id as id, e.at as key_1, e.task_id as key_2 from events e
          where e.task_id is not null ${beyond(sql`(e.at, e.task_id)`, after)}
          order by e.at desc, e.task_id desc limit ${limit}`,
    isCurrent: sql`and t.updated_at = c.key_1`,
    by: sql`key_1 desc, key_2 desc`,
    keyOf: ({ updated_at, id }) => [updated_at, id],
  };
};

const isOnly = (values: readonly string[] | undefined): values is readonly [string] => values?.length === 1;

/** As it will be dispatched (D-18). */
export const byDispatch = (
  sql: Sql,
  { organization, assignee, priority_min, priority_max }: RowFilters,
): Order<QueueKey> => {
  const agentTypes = assignee?.people.length === 0 ? assignee.agentTypes : undefined;
  // What begins elsewhere in the order, and one organization or agent type, which have it in an index of their own.
  const narrowed = sql`
    ${isOnly(organization) ? sql`and r.organization_id = ${organization[0]}` : sql``}
    ${isOnly(agentTypes) ? sql`and r.agent_type_id = ${agentTypes[0]}` : sql``}
    ${priority_min === undefined ? sql`` : sql`and r.priority <= ${-priority_min}`}
    ${priority_max === undefined ? sql`` : sql`and r.priority >= ${-priority_max}`}
  `;
  return {
    // Those that are named are looked up by their ids (offset 0), not passed by in the order of the queue.
    candidates: (after, limit, ids) => sql`
      select r.task_id as id, r.priority as key_1, r.queue_seq as key_2
      from ${ids ? sql`(select * from ready where task_id = any(${[...ids]}::uuid[]) offset 0)` : sql`ready`} r
      where true ${narrowed} ${after === undefined ? sql`` : sql`and (r.priority, r.queue_seq) > (${after[0]}, ${after[1]})`}
      order by r.priority, r.queue_seq limit ${limit}`,
    isCurrent: sql``,
    by: sql`key_1, key_2`,
    keyOf: ({ priority, queue_seq }) => [-priority, queue_seq],
  };
};
