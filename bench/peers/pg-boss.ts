// pg-boss: `fetch` one by one with 50 in flight, and `send` with 50 in flight.
import { PgBoss } from "pg-boss";
import { serve } from "../harness/commands.ts";
import type { Rate } from "../harness/figures.ts";
import { priorities, priorityOf, promptCharacters, promptOf, promptStarts, promptText } from "../harness/task-shape.ts";
import { openTimeWindow } from "../harness/time-window.ts";
import type { PeerCommands } from "./peer.ts";

export type PgBossCommands = PeerCommands & {
  /** Sends as fast as it can, for so many seconds. */
  send: (seconds: number) => Promise<Rate>;
};

const [connectionString = ""] = process.argv.slice(2);
const queue = "tasks";
const inFlight = 50;
// With 10 or 20 it is slower.
const connections = 50;
const batchSize = 20_000;

const boss = new PgBoss({ connectionString, max: connections });
boss.on("error", (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
await boss.start();
await boss.createQueue(queue);

/** Keeps 50 of them under way until the window is over. */
const keepGoing = async (seconds: number, one: (n: number) => Promise<boolean>): Promise<Rate> => {
  const window = openTimeWindow(seconds);
  let n = 0;
  const loop = async (): Promise<void> => {
    while (!window.isOver()) {
      const startedAt = performance.now();
      if (await one(n++)) window.count(startedAt);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
  return window.rate();
};

// The row that `insert` writes; everything else is the columns' defaults.
const insertJobs = `
  insert into pgboss.job (name, policy, data, priority)
  select $1, 'standard', json_build_object('prompt', substr($2::text, 1 + n % $3::int, $4::int)),
    ($5::int[])[1 + n % cardinality($5::int[])]
  from generate_series($6::int, $7::int - 1) n
`;

serve({
  fill: async (count) => {
    const database = boss.getDb();
    const waiting = "select count(*)::int as count from pgboss.job where name = $1 and state = 'created'";
    const { rows } = await database.executeSql(waiting, [queue]);
    for (let n = rows[0].count; n < count; n += batchSize) {
      const end = Math.min(n + batchSize, count);
      const shape = [promptText, promptStarts, promptCharacters, priorities];
      await database.executeSql(insertJobs, [queue, ...shape, n, end]);
    }
    await database.executeSql("vacuum analyze pgboss.job", []);
  },
  measure: (seconds) => keepGoing(seconds, async () => (await boss.fetch(queue)).length === 1),
  send: (seconds) =>
    keepGoing(seconds, async (n) => {
      await boss.send(queue, { prompt: promptOf(n) }, { priority: priorityOf(n) });
      return true;
    }),
} satisfies PgBossCommands);
