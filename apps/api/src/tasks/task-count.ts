// Counting tasks (D-39): by what is counted as tasks move where that knows the filters, else by finding them, up to 10,000.
import { maxCountedTasks, type TaskCount, type TaskFilters } from "@task-service/contract";
import type { Sql } from "../platform/database.ts";
import { type CountFilters, type Standing, standings, sumCounts } from "./count-queries.ts";
import { isHopeless, type ResolvedFilters, resolveFilters } from "./task-filters.ts";
import { findTaskIds } from "./task-list-queries.ts";
import { exactStream } from "./task-streams.ts";

const standingsOf = (state: TaskFilters["state"], live: boolean | undefined): Standing[] =>
  standings.filter(
    (standing) =>
      (state === undefined || (state === "queued") === (standing === "queued")) &&
      (live === undefined || live === (standing === "live")),
  );

/** The same filters as the counts know them; undefined if they know one of them not. */
const countFilters = ({ row, words }: ResolvedFilters): CountFilters | undefined => {
  const { state, live, organization, assignee, assignee_type, priority_min, priority_max, ...others } = row;
  const isCounted = Object.keys(others).length === 0 && words === undefined && assignee_type !== "user";
  if (!isCounted || (assignee && assignee.people.length > 0)) return undefined;
  return {
    standings: standingsOf(state, live),
    ...(organization && { organizationIds: organization }),
    ...(assignee && { agentTypeIds: assignee.agentTypes }),
    ...(assignee_type && { isForAgents: true }),
    ...(priority_min !== undefined && { priorityMin: priority_min }),
    ...(priority_max !== undefined && { priorityMax: priority_max }),
  };
};

/** Up to one more than is counted. An index that holds nothing else is counted alone, without the tasks. */
const countFound = async (sql: Sql, filters: ResolvedFilters): Promise<number> => {
  const limit = maxCountedTasks + 1;
  const stream = filters.words === undefined ? exactStream(sql, filters) : undefined;
  if (!stream) return (await findTaskIds(sql, filters, limit)).length;
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*) from (${stream({ isDescending: true, after: undefined, limit })}) found
  `;
  return count;
};

export const countTasks = async (sql: Sql, query: TaskFilters): Promise<TaskCount> => {
  const filters = await resolveFilters(sql, query);
  if (isHopeless(filters)) return { count: 0, exact: true };
  const counted = countFilters(filters);
  if (counted) return { count: await sumCounts(sql, counted), exact: true };
  const found = await countFound(sql, filters);
  return { count: Math.min(found, maxCountedTasks), exact: found <= maxCountedTasks };
};
