// How long events are kept (D-28): old ones go, in batches, but never the last word on a task that is still there.
import { afterAll, beforeAll, expect, test } from "vitest";
import { readStream } from "../../test/event-reader.ts";
import { createFleet, createTasks, type Fleet } from "../../test/factories.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { transact } from "../platform/database.ts";
import { createEventRetention } from "./event-retention.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
});
afterAll(() => app.close());

const forget = (days = 365) => createEventRetention(app.database.background, days)();
const countEvents = async () => (await app.sql<{ n: number }[]>`select count(*)::int as n from events`)[0]?.n ?? 0;

test("keeps what is young enough, and the newest event of each task however old it is", async () => {
  const [kept, deleted, touched] = await createTasks(app, fleet, 3);
  const ids = [kept?.id, deleted?.id, touched?.id].map((id) => id ?? "");
  for (const id of ids) await app.client.updateTask({ params: { id }, body: { priority: 7 } });
  // A year ago, the creation a second before the change, as the tasks themselves tell.
  await app.sql`update events set at = now() - interval '366 days' - (case type when 'task.created' then 1 else 0 end) * interval '1 s' where task_id = any(${ids})`;
  await app.sql`update tasks t set updated_at = (select max(at) from events e where e.task_id = t.id) where id = any(${ids})`;
  await app.client.updateTask({ params: { id: ids[2] ?? "" }, body: { priority: 8 } });
  await app.client.deleteTask({ params: { id: ids[1] ?? "" } });
  const before = await countEvents();

  expect(await forget(367)).toBe(0);
  expect(await forget()).toBe(5);
  expect(await countEvents()).toBe(before - 5);
  const types = async (id = "") => (await app.client.listTaskEvents({ params: { id } })).items.map(({ type }) => type);
  expect(await types(ids[0])).toEqual(["task.updated"]);
  expect(await types(ids[1])).toEqual(["task.deleted"]);
  expect(await types(ids[2])).toEqual(["task.updated"]);
  expect(await forget()).toBe(0);
});

test("goes on over any number of batches, past those it keeps", async () => {
  await app.sql`
    insert into events (at, type, actor)
    select now() - interval '400 days' + n * interval '1 ms', 'agents.synced', '{"sub": "task-service", "name": "task service"}'
    from generate_series(1, 3500) n
  `;
  const before = await countEvents();
  expect(await forget()).toBe(3500);
  expect(await countEvents()).toBe(before - 3500);
});

test("two replicas at once delete each event once", async () => {
  await app.sql`
    insert into events (at, type, actor)
    select now() - interval '400 days' + n * interval '1 ms', 'agents.synced', '{"sub": "task-service", "name": "task service"}'
    from generate_series(1, 5000) n
  `;
  const deleted = await Promise.all([forget(), forget()]);
  expect(deleted.reduce((sum, count) => sum + count, 0) + (await forget())).toBe(5000);
});

test("who read up to an event that is gone is told so", async () => {
  const { id } = (await app.client.listEvents({ query: { limit: 1 } })).items[0] ?? { id: "" };
  await app.sql`update events set at = now() - interval '366 days' where id = ${id}::bigint`;
  await forget();
  const reader = await readStream(app, { query: `?after=${id}` });
  expect(reader.frames[0]).toMatchObject({ event: "reset" });
  reader.close();
});

test("goes on where it was, and once a day from the beginning", async () => {
  await forget();
  let now = 0;
  const forgetMore = createEventRetention(app.database.background, 365, () => now);
  expect(await forgetMore()).toBe(0);
  const write = (age: string) => app.sql`
    insert into events (at, type, actor)
    values (now() - ${age}::interval, 'agents.synced', '{"sub": "task-service", "name": "task service"}')
  `;
  const hourMs = 3_600_000;
  // As if it had been the last word on a task until now.
  await write("400 days");
  // Old enough a moment from now.
  await write("364 days 23:59:59.9");
  now += hourMs;
  await expect.poll(forgetMore).toBe(1);
  now += 22 * hourMs;
  expect(await forgetMore()).toBe(0);
  now += hourMs;
  expect(await forgetMore()).toBe(1);
});

test("what another replica is at is not passed over", async () => {
  await forget();
  const forgetMore = createEventRetention(app.database.background, 365, () => 0);
  await app.sql`
    insert into events (at, type, actor)
    values (now() - interval '400 days', 'agents.synced', '{"sub": "task-service", "name": "task service"}')
  `;
  await transact(app.database.background, async (other) => {
    await other`select pg_advisory_xact_lock(7452004)`;
    expect(await forgetMore()).toBe(0);
  });
  expect(await forgetMore()).toBe(1);
});
