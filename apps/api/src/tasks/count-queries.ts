// How many tasks stand where (D-11, D-29, D-39): counted as they move, so that no answer ever counts the tasks themselves.
import { isDeepStrictEqual } from "node:util";
import type { Task } from "@task-service/contract";
import { type Queryable, type Sql, type Transaction, transact } from "../platform/database.ts";
import { isLive } from "./task-guards.ts";

/** Where a task can stand: waiting, with a live dispatch, or with one that has ended. */
export const standings = ["queued", "live", "ended"] as const;
export type Standing = (typeof standings)[number];

export interface CountFilters {
  /** Any of them; all by default. */
  standings?: readonly Standing[];
  organizationIds?: readonly string[];
  agentTypeIds?: readonly string[];
  /** Inclusive. */
  priorityMin?: number;
  /** Inclusive. */
  priorityMax?: number;
  /** True: only tasks of agent types; false: only those of people and of nobody. */
  isForAgents?: boolean;
}

/** How many tasks there are, exactly and at this moment. An empty list matches nothing. */
export const sumCounts = async (
  sql: Queryable,
  { standings: wanted = standings, organizationIds, agentTypeIds, priorityMin, priorityMax, isForAgents }: CountFilters,
): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(sum(
      case when ${wanted.includes("queued")} then queued else 0 end
        + case when ${wanted.includes("live")} then live else 0 end
        + case when ${wanted.includes("ended")} then ended else 0 end
    ), 0)::bigint as count
    from current_task_counts where true
      ${organizationIds === undefined ? sql`` : sql`and organization_id = any(${organizationIds}::uuid[])`}
      ${agentTypeIds === undefined ? sql`` : sql`and agent_type_id = any(${agentTypeIds}::uuid[])`}
      ${priorityMin === undefined ? sql`` : sql`and priority >= ${priorityMin}`}
      ${priorityMax === undefined ? sql`` : sql`and priority <= ${priorityMax}`}
      ${isForAgents === undefined ? sql`` : sql`and (agent_type_id is not null) = ${isForAgents}`}
  `;
  return row.count;
};

/** Selects `priority` and `count` of what is in the queue, for each priority above this one that has any. */
export const countQueued = (sql: Queryable, above: number) => sql`
  select priority, sum(queued)::bigint as count from current_task_counts
  where agent_type_id is not null and priority > ${above} group by priority having sum(queued) > 0
`;

/**
 * A statement, to stand in the one that moves tasks, that writes down what becomes of the counts. `moved` is a relation
 * of the tasks as they are counted; the others are sums over those of one organization, agent type and priority.
 */
export const writeMoves = (
  sql: Queryable,
  moved: ReturnType<Queryable>,
  { queued = sql`0`, live = sql`0`, ended = sql`0` }: Partial<Record<Standing, ReturnType<Queryable>>>,
) => sql`
  insert into task_count_changes (organization_id, agent_type_id, priority, queued, live, ended)
  select organization_id, agent_type_id, priority, ${queued}, ${live}, ${ended} from ${moved}
  group by organization_id, agent_type_id, priority
`;

const standingOf = (task: Task): Standing => {
  if (task.state === "queued") return "queued";
  return isLive(task) ? "live" : "ended";
};

const countOf = (task: Task, change: 1 | -1) => ({
  organization_id: task.organization_id,
  agent_type_id: task.agent_type?.id ?? null,
  priority: task.priority,
  ...{ queued: 0, live: 0, ended: 0, [standingOf(task)]: change },
});

/** Writes down where a locked task stands now if that is elsewhere; without `after` that it is gone. */
export const writeMove = async (sql: Transaction, before: Task, after?: Task): Promise<void> => {
  const gone = countOf(before, -1);
  if (after === undefined) await sql`insert into task_count_changes ${sql(gone)}`;
  else if (!isDeepStrictEqual(countOf(after, -1), gone)) {
    await sql`insert into task_count_changes ${sql([gone, countOf(after, 1)])}`;
  }
};

/** Moves the changes into the counts. Every replica may: a change is in the counts from the commit that takes it away. */
export const foldCounts = async (sql: Sql): Promise<void> => {
  const folded = await sql`
    with change as (delete from task_count_changes returning *)
    insert into task_counts as counted (organization_id, agent_type_id, priority, queued, live, ended)
    select organization_id, agent_type_id, priority, sum(queued), sum(live), sum(ended) from change
    group by organization_id, agent_type_id, priority order by organization_id, agent_type_id, priority
    on conflict (organization_id, agent_type_id, priority) do update set
      queued = counted.queued + excluded.queued, live = counted.live + excluded.live, ended = counted.ended + excluded.ended
  `;
  if (folded.count > 0) await sql`delete from task_counts where queued = 0 and live = 0 and ended = 0`;
};

/** By how much the tasks of one organization, agent type and priority exceed their counts. */
export type CountDrift = Record<Standing, number> &
  Pick<Task, "organization_id" | "priority"> & { agent_type_id: string | null };

// Any constant: it only has to be the same in every replica.
const recountLock = 7_452_003;

const recountOrganization = (sql: Sql, organizationId: string): Promise<CountDrift[]> =>
  transact(sql, async (transaction) => {
    await transaction`set local statement_timeout = '10min'`;
    // Two that find the same drift would both mend it. Each organization has a lock of its own: whoever finds it taken may
    // leave the organization to the other one.
    const [{ isFree }] = await transaction<[{ isFree: boolean }]>`
      select pg_try_advisory_xact_lock(${recountLock}, hashtext(${organizationId})) as "isFree"
    `;
    if (!isFree) return [];
    const drifts = await transaction<CountDrift[]>`
      select ${organizationId}::uuid as organization_id, agent_type_id, priority,
        sum(queued)::bigint as queued, sum(live)::bigint as live, sum(ended)::bigint as ended
      from (
        select agent_type_id, priority, count(*) filter (where state = 'queued') as queued,
          count(*) filter (where state = 'dispatched' and dispatch_ended_at is null) as live,
          count(*) filter (where state = 'dispatched' and dispatch_ended_at is not null) as ended
        from tasks where organization_id = ${organizationId} group by agent_type_id, priority
        union all
        select agent_type_id, priority, -queued, -live, -ended
        from current_task_counts where organization_id = ${organizationId}
      ) side
      group by agent_type_id, priority having sum(queued) <> 0 or sum(live) <> 0 or sum(ended) <> 0
    `;
    if (drifts.length > 0) await transaction`insert into task_count_changes ${transaction([...drifts])}`;
    return [...drifts];
  });

/**
 * Counts all tasks and mends the counts that are wrong, of one organization after the other, as they may be once somebody
 * wrote into the tables by hand, or an older release ran beside this one. Nothing is locked: a statement sees tasks, counts
 * and changes as of one moment, and whatever moves after it adds its own change to the one that mends. Returns what was
 * mended.
 */
export const recountTasks = async (sql: Sql): Promise<CountDrift[]> => {
  const organizations = await sql<{ id: string }[]>`
    select id from organizations union select organization_id from current_task_counts
  `;
  const drifts: CountDrift[] = [];
  for (const { id } of organizations) drifts.push(...(await recountOrganization(sql, id)));
  return drifts;
};
