// Lists of tasks (D-16): by their ids, or along one of the other orders.
import type { Fragment, Sql } from "../platform/database.ts";
import { hasWords } from "./search-index.ts";
import { asId, asSummary, type QueuedTask, type Reading } from "./task-columns.ts";
import { isHopeless, isMatch, type ResolvedFilters } from "./task-filters.ts";
import type { Order } from "./task-orders.ts";
import { firstLooks, growth, scanTasks, type Wanted } from "./task-scan.ts";
import { searchTasks } from "./task-search.ts";

const find = async <R extends { id: string }>(
  sql: Sql,
  filters: ResolvedFilters,
  wanted: Wanted,
  reading: Reading,
): Promise<R[]> => {
  if (isHopeless(filters)) return [];
  if (filters.words === undefined) return scanTasks(sql, filters, wanted, reading);
  return searchTasks(sql, filters, filters.words, wanted, reading);
};

/** By creation: the id tells it. */
export const listByCreation = (sql: Sql, filters: ResolvedFilters, wanted: Wanted): Promise<QueuedTask[]> =>
  find(sql, filters, wanted, asSummary(sql));

/** The ids of the newest `count` tasks that `filters` let through. */
export const findTaskIds = async (sql: Sql, filters: ResolvedFilters, count: number): Promise<string[]> => {
  const wanted = { isDescending: true, after: undefined, count };
  return (await find<{ id: string }>(sql, filters, wanted, asId(sql))).map(({ id }) => id);
};

type Keys = readonly [string | number, string | number];

interface Step<K> {
  tasks: QueuedTask[];
  /** The key of the last candidate; null: there are no more. */
  reached: K | null;
}

const follow = async <K extends Keys>(
  sql: Sql,
  { isCurrent, by }: Order<K>,
  candidates: Fragment,
  limit: number,
  condition: Fragment,
  count: number,
): Promise<Step<K>> => {
  const { columns, joins } = asSummary(sql);
  const rows = await sql<(QueuedTask & { reached: K | null })[]>`
    with found as materialized (
      select t.*, c.key_1, c.key_2 from (${candidates}) c
      cross join lateral (select * from tasks t where t.id = c.id ${isCurrent} ${condition} offset 0) t
      order by ${by} limit ${count}
    )
    select known.reached, page.* from (
      select case when (select count(*) from found) < ${count} then (
        select json_build_array(key_1, key_2) from (${candidates}) c order by ${by} offset ${limit - 1} limit 1
      ) end as reached
    ) known
    left join (select ${columns}, t.key_1, t.key_2 from found t ${joins}) page on true
    order by ${by}
  `;
  return { tasks: rows.filter(({ id }) => id !== null), reached: rows[0]?.reached ?? null };
};

/** Whose text is read in a first step. */
const readTasks = 128;

/** So many tasks may be looked up by their filters and sorted, after so many steps along the order that found too few. */
const mostSorted = (steps: number, words: string | undefined): number => {
  if (steps > 3) return 100_000;
  // By words more, as following the order means to read the text of all that it passes.
  return words === undefined ? 2000 : 10_000;
};

/**
 * The next tasks that `filters` let through in an order that their ids do not tell. If the first looks along it find too few,
 * all of them are looked up and sorted, unless they are too many; else it is followed on, eight times as far each time.
 */
export const listInOrder = async <K extends Keys>(
  sql: Sql,
  order: Order<K>,
  filters: ResolvedFilters,
  { after, count }: { after: K | undefined; count: number },
): Promise<QueuedTask[]> => {
  if (isHopeless(filters)) return [];
  const { row, words } = filters;
  const condition = sql`${isMatch(sql, row)} ${words === undefined ? sql`` : hasWords(sql, words)}`;
  const isNarrowed = words !== undefined || Object.keys(row).length > 0;
  const found: QueuedTask[] = [];
  let position = after;
  let tried = 0;
  let limit = words === undefined ? count * firstLooks : readTasks;
  for (let steps = 1; ; steps++, limit *= growth) {
    const wanted = count - found.length;
    const step = await follow(sql, order, order.candidates(position, limit), limit, condition, wanted);
    found.push(...step.tasks);
    if (found.length >= count || step.reached === null) return found;
    position = step.reached;
    const most = mostSorted(steps, words);
    // Where the next step, eight times as long, will most likely do, none is looked up.
    const isNear = step.tasks.length * growth > wanted || (steps === 1 && step.tasks.length > 0);
    if (!isNarrowed || most === tried || isNear) continue;
    tried = most;
    const ids = await findTaskIds(sql, filters, most + 1);
    if (ids.length > most) continue;
    const rest = count - found.length;
    const sorted = await follow(sql, order, order.candidates(position, rest, ids), rest, sql``, rest);
    return [...found, ...sorted.tasks];
  }
};
