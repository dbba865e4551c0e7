// What dispatches used (D-29), by what it was used for: out of one rollup a day.
import {
  maxRootsPerDay,
  maxUsageItems,
  type StatsUsage,
  type UsageGroup,
  type UsageItem,
} from "@task-service/contract";
import type { Fragment, Queryable } from "../platform/database.ts";
import { readHistory } from "./history-queries.ts";
import type { Period } from "./stats-periods.ts";
import { tokenSum } from "./token-sums.ts";

type Dimension = Exclude<UsageGroup, "day">;

const dayMs = 86_400_000;

/** So many roots are summed up, of those with the most tokens of a day: a root may have a row for each day. */
const maxRoots = 500;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** What each key used from the first day to the last: of the few keys all, of the many roots those that stand out on some day. */
const usedIn = (sql: Queryable, dimension: Dimension, { fromMs, toMs }: Period): Fragment => {
  const [first, last] = [dayOf(fromMs), dayOf(toMs - dayMs)];
  const sums = sql`sum(dispatches)::bigint as dispatches, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens`;
  if (dimension !== "root") {
    return sql`
      select key, ${sums} from usage_days where dimension = ${dimension} and day between ${first} and ${last} group by key
    `;
  }
  return sql`
    select root.key, used.* from (
      select key from generate_series(0, ${(toMs - fromMs) / dayMs - 1}::int) as span (days) cross join lateral (
        select key, input_tokens + output_tokens as tokens from usage_days
        where dimension = 'root' and day = ${first}::date + span.days and input_tokens + output_tokens > 0
        order by input_tokens + output_tokens desc limit ${maxRootsPerDay}
      ) of_day
      group by key order by sum(tokens) desc limit ${maxRoots}
    ) root
    cross join lateral (
      select ${sums} from usage_days where dimension = 'root' and key = root.key and day between ${first} and ${last}
    ) used
  `;
};

const labelOf = (sql: Queryable, dimension: Dimension) => {
  const id = sql`nullif(key, '')::uuid`;
  return {
    agent_type: () =>
      sql`(select o.slug || '/' || a.slug from agent_types a join organizations o on o.id = a.organization_id where a.id = ${id})`,
    organization: () => sql`(select slug from organizations where id = ${id})`,
    root: () => sql`(select title from tasks where id = ${id})`,
    executor: () => sql`nullif(key, '')`,
  }[dimension]();
};

const readLargest = (sql: Queryable, dimension: Dimension, period: Period): Promise<UsageItem[]> => sql<UsageItem[]>`
  select nullif(key, '') as key, coalesce(${labelOf(sql, dimension)}, nullif(key, ''), 'none') as label, dispatches,
    ${tokenSum(sql, sql`input_tokens`)} as input_tokens, ${tokenSum(sql, sql`output_tokens`)} as output_tokens
  from (
    select * from (${usedIn(sql, dimension, period)}) used
    order by input_tokens + output_tokens desc, dispatches desc, key limit ${maxUsageItems}
  ) largest
  order by largest.input_tokens + largest.output_tokens desc, largest.dispatches desc, largest.key
`;

const readTotal = async (sql: Queryable, { fromMs, toMs }: Period): Promise<StatsUsage["total"]> => {
  const [total] = await sql<[StatsUsage["total"]]>`
    select coalesce(sum(dispatched), 0)::bigint as dispatches,
      ${tokenSum(sql, sql`coalesce(sum(input_tokens), 0)`)} as input_tokens,
      ${tokenSum(sql, sql`coalesce(sum(output_tokens), 0)`)} as output_tokens
    from stats_history where step = 'day' and at >= to_timestamp(${fromMs / 1000}) and at < to_timestamp(${toMs / 1000})
  `;
  return total;
};

const readDays = async (sql: Queryable, period: Period): Promise<UsageItem[]> =>
  (await readHistory(sql, period)).map(({ at, dispatched, input_tokens, output_tokens }) => {
    const day = at.slice(0, 10);
    return { key: day, label: day, dispatches: dispatched, input_tokens, output_tokens };
  });

/** `period` is in days. */
export const readUsage = async (sql: Queryable, groupBy: UsageGroup, period: Period): Promise<StatsUsage> => {
  const [items, total] = await Promise.all([
    groupBy === "day" ? readDays(sql, period) : readLargest(sql, groupBy, period),
    readTotal(sql, period),
  ]);
  return { items, total };
};
