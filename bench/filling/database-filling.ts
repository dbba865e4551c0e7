// Fills a migrated database with a month of the service's life: the tasks, all that belongs to them, and the numbers of it.
import pg from "pg";
import { openDatabase } from "../../apps/api/src/platform/database.ts";
import { migrate } from "../../apps/api/src/platform/migrate.ts";
import { foldEvents } from "../../apps/api/src/stats/event-fold.ts";
import { insertCrowd } from "./crowd.ts";
import { withoutIndexes } from "./held-back-indexes.ts";
import { fillHistory } from "./history-filling.ts";
import { createLives, filledDays, type Life } from "./life-source.ts";
import { createPrompts } from "./prompt-source.ts";
import { createRandom } from "./random-source.ts";
import { insertRows } from "./task-rows.ts";

const batchTasks = 5000;
const foldedAtOnce = 100_000;
const filledTables = ["tasks", "dispatches", "ready", "events", "task_labels", "notes"];
// References are right by construction, and what a crash would lose is filled again.
const sessionSettings = `
  set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '1GB';
`;

/** Dispatches come to be in another order than tasks: they are put aside first, and then sorted. */
const fillTasks = async (client: pg.Client, tasks: number, say: (text: string) => void): Promise<void> => {
  const random = createRandom(4);
  const nowMs = Date.now();
  const crowd = await insertCrowd(client, random, nowMs);
  const lifeOf = createLives(random, crowd, createPrompts(random, tasks), { tasks, nowMs });
  await client.query("create temporary table drawn_dispatches (like dispatches including defaults)");
  const write = async (lives: readonly Life[]): Promise<void> => {
    await insertRows(
      client,
      "tasks",
      lives.map(({ task }) => task),
    );
    await insertRows(
      client,
      "drawn_dispatches",
      lives.flatMap(({ dispatches }) => dispatches),
    );
  };
  let writing = Promise.resolve();
  for (let n = 0; n < tasks; n += batchTasks) {
    // The next are drawn while these are written.
    const lives = Array.from({ length: Math.min(batchTasks, tasks - n) }, (_, index) => lifeOf(n + index));
    await writing;
    writing = write(lives);
    if (n % 100_000 === 0) say(`tasks from ${n}`);
  }
  await writing;
  await client.query("insert into dispatches select * from drawn_dispatches order by id");
};

/** How the queue stood in each minute of the time, for the charts. */
const samples = `
  insert into stats_history as kept (step, at, queued, live, oldest_queued_seconds, by_priority)
  select step, at, 150000 + (extract(epoch from at)::bigint / 60) % 50000, 2000, 86400, '[{"priority": 0, "queued": 150000, "live": 2000}]'
  from (values ('minute'), ('hour'), ('day')) steps (step)
  cross join lateral generate_series(date_trunc('day', now() - make_interval(days => $1)), now(), ('1 ' || step)::interval) at
  on conflict (step, at) do update set queued = excluded.queued, live = excluded.live,
    oldest_queued_seconds = excluded.oldest_queued_seconds, by_priority = excluded.by_priority
`;

/** By the service's own hand, before it is asked. */
const foldHistory = async (url: string): Promise<void> => {
  const database = openDatabase(url);
  const [last] = await database.background<{ id: string }[]>`select max(id)::text as id from events`;
  await foldEvents(database.background, last?.id ?? "0", foldedAtOnce);
  await database.close();
};

/** Migrates, fills and tidies up as autovacuum would have. */
export const fillDatabase = async (url: string, tasks: number, say: (text: string) => void): Promise<void> => {
  const database = openDatabase(url);
  await migrate(database.background);
  await database.close();
  const client = new pg.Client({ connectionString: url });
  // When the bench is interrupted the server goes first; whoever waits for a query learns of it.
  client.on("error", () => {});
  await client.connect();
  await client.query(sessionSettings);
  const fill = async (): Promise<void> => {
    await fillTasks(client, tasks, say);
    say("queue, history, labels, notes, counts");
    await client.query("analyze tasks, dispatches");
    await fillHistory(client);
    say("indexes");
  };
  await withoutIndexes(client, filledTables, fill);
  say("folding the history");
  await foldHistory(url);
  await client.query(samples, [filledDays]);
  say("vacuum, analyze");
  await client.query("vacuum (analyze)");
  await client.query("checkpoint");
  await client.end();
};
