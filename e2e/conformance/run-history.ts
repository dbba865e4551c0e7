// What the service wrote down during a run: tasks, dispatches and events, with the instant each event was committed.
import type { Sql } from "@task-service/api/src/platform/database.ts";
import type { EventType, Outcome } from "@task-service/contract";

export interface HistoryTask {
  id: string;
  /** As it is dispatched: the higher priority first, then the lower place. */
  priority: number;
  queue_seq: number;
  agent_type_id: string;
  is_queued: boolean;
  /** Dispatched, and its last dispatch finished. */
  is_done: boolean;
}

export interface HistoryDispatch {
  id: string;
  task_id: string;
  executor: string;
  outcome: Outcome | null;
}

export interface HistoryEvent {
  task_id: string;
  type: EventType;
  /** Of a hand-over. */
  executor: string | null;
  /** When its transaction began, by the database's clock. */
  beganMs: number;
  /** When it was committed; visible to others a moment later. */
  committedMs: number;
}

export interface RunHistory {
  tasks: HistoryTask[];
  dispatches: HistoryDispatch[];
  /** Of tasks, in the order they were written; for one task that is the order they happened in. */
  events: HistoryEvent[];
}

/** Needs `track_commit_timestamp`. */
export const readHistory = async (sql: Sql): Promise<RunHistory> => ({
  tasks: await sql<HistoryTask[]>`
    select id, priority, queue_seq, agent_type_id, state = 'queued' as is_queued,
      state = 'dispatched' and dispatch_ended_at is not null and not needs_attention as is_done
    from tasks where agent_type_id is not null
  `,
  dispatches: await sql<HistoryDispatch[]>`select id, task_id, executor, outcome from dispatches`,
  events: await sql<HistoryEvent[]>`
    select task_id, type, data ->> 'executor' as executor, (extract(epoch from at) * 1000)::float8 as "beganMs",
      (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as "committedMs"
    from events where task_id is not null order by id
  `,
});

/** Tasks that nobody has finished yet. */
export const countUnfinished = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from tasks where state = 'queued' or dispatch_ended_at is null or needs_attention
  `;
  return row?.count ?? 0;
};

/** Since the database was made or last recovered. A backend that still runs may not have told of its own yet. */
export const countDeadlocks = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ deadlocks: number }[]>`
    select deadlocks from pg_stat_database where datname = current_database()
  `;
  return row?.deadlocks ?? 0;
};
