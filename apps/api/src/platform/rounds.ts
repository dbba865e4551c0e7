// The rounds table: work that every replica would do again and again, done by one at a time (D-32).
import { randomUUID } from "node:crypto";
import type { Sql } from "./database.ts";
import type { Logger } from "./logger.ts";

export interface Round {
  /** The same in all replicas. */
  name: string;
  /** Counted from begin to begin. 0 begins one unless a replica is at it right now. */
  everySeconds: number;
  /** A round gives no more signs of life after this time: it hangs, and a replica may begin the next one beside it. */
  patienceMs: number;
  /** A dead replica's round ends this long after its last sign of life; 60 s unless set otherwise. */
  holdMs?: number;
  work: () => Promise<void>;
}

const usualHoldMs = 60_000;

const heldUntil = (sql: Sql, holdMs: number) => sql`now() + make_interval(secs => ${holdMs / 1000})`;

const begin = async (sql: Sql, { name, everySeconds }: Round, holdMs: number, holder: string): Promise<boolean> => {
  const rows = await sql`
    insert into rounds as r (name, holder, held_until)
    values (${name}, ${holder}, ${heldUntil(sql, holdMs)})
    on conflict (name) do update set begun_at = now(), holder = excluded.holder, held_until = excluded.held_until
    where (r.holder is null or r.held_until < now()) and r.begun_at <= now() - make_interval(secs => ${everySeconds})
    returning name
  `;
  return rows.length > 0;
};

const extend = (sql: Sql, name: string, holdMs: number, holder: string) => sql`
  update rounds set held_until = ${heldUntil(sql, holdMs)} where name = ${name} and holder = ${holder}
`;

const end = (sql: Sql, name: string, holder: string) => sql`
  update rounds set holder = null, held_until = null where name = ${name} and holder = ${holder}
`;

/**
 * Does the round if it is due and no other replica is at it, by the database's clock; tells whether it did. Rejects as
 * `work` does. A replica that is cut off from the database for longer than its hold, or whose work takes longer than
 * `patienceMs`, may work beside its successor, so `work` must bear company.
 */
export const takeRound = async (sql: Sql, log: Logger, round: Round): Promise<boolean> => {
  const { name, patienceMs, holdMs = usualHoldMs, work } = round;
  const holder = randomUUID();
  const hangsAt = performance.now() + patienceMs;
  if (!(await begin(sql, round, holdMs, holder))) return false;
  const alive = setInterval(() => {
    if (performance.now() >= hangsAt) return clearInterval(alive);
    extend(sql, name, holdMs, holder).catch((error) =>
      log.warn({ err: error }, `the hold of ${name} was not extended`),
    );
  }, holdMs / 3);
  try {
    await work();
  } finally {
    clearInterval(alive);
    await end(sql, name, holder);
  }
  return true;
};
