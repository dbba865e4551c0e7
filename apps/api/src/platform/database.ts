// Connections to PostgreSQL: one pool per kind of work, so that none can starve another.
import postgres from "postgres";

export type Sql = postgres.Sql<{ bigint: number; instant: string }>;
export type Transaction = postgres.TransactionSql<{ bigint: number; instant: string }>;
/** Where a statement can run: a pool or an open transaction. */
export type Queryable = Sql | Transaction;
/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

export interface Database {
  /** Requests of people and programs. */
  requests: Sql;
  /** Lists, searches and counts: each planned for what it asks, with no scan of a table. */
  reads: Sql;
  /** Claims and what executors report. */
  dispatch: Sql;
  /** Synchronization, sweeping: whatever no caller waits for. */
  background: Sql;
  close(): Promise<void>;
}

const int8 = 20;
const timestamptz = 1184;
const timestamp = 1114;

const toSafeInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`);
  return value;
};

/** For work by key only: plans that no statistics, stale or missing, can turn into a scan of the queue. */
const byKeyOnly = {
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  plan_cache_mode: "force_generic_plan",
  jit: "off",
};

/** A plan made for any organization would serve the rare one badly; and a page never needs a whole table. */
const byIndex = {
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  plan_cache_mode: "force_custom_plan",
  random_page_cost: "1.1",
  work_mem: "16MB",
  // Starting workers takes longer than a page may.
  max_parallel_workers_per_gather: "0",
  jit: "off",
};

/** `2026-11-21 09:30:00.5+00`, as a connection in UTC sends it, to `2026-11-21T09:30:00.500Z`. */
const toInstant = (text: string): string =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, 23).replace(/\D.*/, "").padEnd(3, "0")}Z`;

interface PoolOptions {
  max: number;
  statementTimeoutMs: number;
  settings?: Record<string, string>;
}

const connect = (url: string, name: string, { max, statementTimeoutMs, settings }: PoolOptions): Sql =>
  postgres(url, {
    max,
    // One statement at a time on a connection: a slow one delays nobody behind it.
    max_pipeline: 1,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: null,
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 1),
    onnotice: () => {},
    types: {
      bigint: { to: int8, from: [int8], serialize: String, parse: toSafeInteger },
      instant: {
        to: timestamptz,
        from: [timestamp, timestamptz],
        serialize: (value: string) => value,
        parse: toInstant,
      },
    },
    connection: {
      application_name: `task-service ${name}`,
      TimeZone: "UTC",
      statement_timeout: statementTimeoutMs,
      lock_timeout: Math.min(statementTimeoutMs, 2000),
      idle_in_transaction_session_timeout: 5000,
      client_connection_check_interval: 1000,
      ...settings,
    },
  } as postgres.Options<{ bigint: postgres.PostgresType<number>; instant: postgres.PostgresType<string> }>);

/**
 * A pool whose transactions have connections of their own. On shared ones postgres.js loses a `begin` that meets a
 * busy connection at `max_pipeline` (UNSAFE_TRANSACTION), and leaves its transaction open under other statements.
 */
const open = (url: string, name: string, options: PoolOptions): Sql => {
  const statements = connect(url, name, options);
  const transactions = connect(url, `${name}, transactions`, options);
  const { end } = statements;
  return Object.assign(statements, {
    begin: transactions.begin,
    end: async (options?: { timeout?: number }) => {
      await Promise.all([end(options), transactions.end(options)]);
    },
  });
};

/** Opens the pools; nothing connects before the first statement. */
export const openDatabase = (url: string): Database => {
  const requests = open(url, "requests", { max: 8, statementTimeoutMs: 5000 });
  const reads = open(url, "reads", { max: 4, statementTimeoutMs: 5000, settings: byIndex });
  const dispatch = open(url, "dispatch", { max: 4, statementTimeoutMs: 5000, settings: byKeyOnly });
  const background = open(url, "background", { max: 2, statementTimeoutMs: 30_000 });
  return {
    requests,
    reads,
    dispatch,
    background,
    close: async () => {
      await Promise.all([requests, reads, dispatch, background].map((pool) => pool.end({ timeout: 2 })));
    },
  };
};

/** No answer from the database within the time that its own limits leave it: it is out of reach. */
export class DatabaseSilent extends Error {
  override readonly name = "DatabaseSilent";
  readonly code = "CONNECT_TIMEOUT";
}

/** Rejects with {@link DatabaseSilent} if `work` takes longer; what becomes of it then is unknown. */
export const within = async <T>(ms: number, work: PromiseLike<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DatabaseSilent(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Thrown by work that found the world changed under it: {@link retrying} begins it again. */
export class RetryTransaction extends Error {
  override readonly name = "RetryTransaction";
  readonly code = "40001";
}

const retryable = new Set(["40001", "40P01"]);

/** Whether a statement ended with its connection: the server went, was stopped, or ended the session. */
export const isConnectionGone = (error: unknown): boolean =>
  /^(?:CONNECTION_|ECONN|EPIPE|57P0[1-3]|25P03)/.test((error as { code?: string } | undefined)?.code ?? "");

// postgres.js would go on to roll back on the closed socket, which ends the
// process; left unanswered, `begin` rejects by itself when the connection closes.
const unlessConnectionIsGone = (error: unknown): Promise<never> =>
  isConnectionGone(error) ? new Promise(() => {}) : Promise.reject(error);

/** Does `work`, which commits all of its effect or nothing, up to three times when it or PostgreSQL asks for a retry. */
export const retrying = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 3 || !retryable.has((error as { code?: string }).code ?? "")) throw error;
    }
  }
};

/**
 * Runs `work` in a transaction, up to three times when PostgreSQL asks for a retry
 * (serialization failure, deadlock). `work` must have no effect but through its argument.
 */
export const transact = <T>(sql: Sql, work: (transaction: Transaction) => Promise<T>): Promise<T> =>
  retrying(async () => (await sql.begin((transaction) => work(transaction).catch(unlessConnectionIsGone))) as T);
