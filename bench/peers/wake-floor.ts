// The floor of waking up: insert and NOTIFY in one round trip, then one claim by the client that listens. No HTTP, no limits, no history.
import pg from "pg";
import { serve } from "../harness/commands.ts";
import { promptOf } from "../harness/task-shape.ts";
import { takeWakeTimes, type WakeTimes } from "../harness/wake-times.ts";

export type WakeFloorCommands = {
  /** Queues so many tasks, one after the other. */
  wake: (samples: number) => Promise<WakeTimes>;
};

const [connectionString = ""] = process.argv.slice(2);
const connect = async (): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
};

const [creator, listener] = await Promise.all([connect(), connect()]);
await creator.query(`
  create table task (id bigint generated always as identity, priority int not null, prompt text not null,
    primary key (priority, id))`);
await listener.query("listen task");

const insertAndNotify = {
  name: "insert",
  text: "with task as (insert into task (priority, prompt) values (0, $1)) select pg_notify('task', '')",
};
const claim = {
  name: "claim",
  text: `
    with head as materialized (select priority, id from task order by priority, id limit 1 for update skip locked)
    delete from task using head where task.priority = head.priority and task.id = head.id returning task.id, prompt`,
};

serve({
  wake: (samples) =>
    takeWakeTimes(samples, async () => {
      const received = new Promise<number>((resolve, reject) => {
        listener.once("notification", () => {
          listener
            .query(claim)
            .then(({ rows }) =>
              rows.length === 1 ? resolve(performance.now()) : reject(new Error("Nothing to claim.")),
            )
            .catch(reject);
        });
      });
      const createdAt = performance.now();
      await creator.query({ ...insertAndNotify, values: [promptOf(samples)] });
      return (await received) - createdAt;
    }),
} satisfies WakeFloorCommands);
