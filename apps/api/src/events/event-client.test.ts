// `readEvents` of the contract against the real API: what UI, executor and CLI follow the history with.
import { type Event, readEvents, type StreamReset } from "@task-service/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFleet, createTask, createTasks, type Fleet } from "../../test/factories.ts";
import { refusal } from "../../test/refusal.ts";
import { fetchToken, startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let replica: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  replica = await startTestApp({ beside: app, feed: { heartbeatMs: 20 } });
  fleet = await createFleet(app);
});
afterAll(async () => {
  await replica.close();
  await app.close();
});

const token = () => app.token;
const newest = async () => (await app.client.listEvents({ query: { limit: 1 } })).items[0]?.id ?? "";

/** The first `count` of a stream; leaving the loop ends it. */
const take = async (stream: AsyncGenerator<Event | StreamReset>, count: number) => {
  const taken: (Event | StreamReset)[] = [];
  for await (const event of stream) if (taken.push(event) === count) break;
  return taken;
};

test("begins where it is told, filters, and ends when its reader leaves", async () => {
  const after = await newest();
  await createTasks(app, fleet, 3);
  const { id } = await createTask(app, fleet);
  await app.client.updateTask({ params: { id }, body: { priority: 5 } });
  const options = { baseUrl: app.baseUrl, token, after };
  const all = await take(readEvents(options), 5);
  expect(all.map(({ type }) => type)).toEqual([...Array(4).fill("task.created"), "task.updated"]);
  expect(await take(readEvents({ ...options, filters: { task: id, type: ["task.updated"] } }), 1)).toEqual([all[4]]);
  const slow = take(readEvents({ ...options, filters: { organization: fleet.organization.slug } }), 6);
  await createTask(app, fleet);
  expect((await slow).slice(0, 5)).toEqual(all);
  await expect.poll(() => app.feed.position(), { timeout: 5000 }).toBe("0".repeat(16));
});

test("goes on over lost connections, refusals that pass, and replicas, without gap or repeat", async () => {
  let attempt = 0;
  const unsteady: typeof fetch = async (url, init) => {
    attempt += 1;
    if (attempt % 5 === 2) throw new TypeError("fetch failed");
    if (attempt % 5 === 3) return new Response("<h1>Bad gateway</h1>", { status: 502 });
    const { baseUrl } = attempt % 2 ? app : replica;
    const answer = await fetch(String(url).replace(app.baseUrl, baseUrl), init);
    // The line breaks in the middle of a frame.
    let left = 700;
    const body = answer.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (part, controller) => {
          controller.enqueue(part.subarray(0, left));
          left -= part.length;
          if (left < 0) controller.error(new Error("the line broke"));
        },
      }),
    );
    return new Response(body ?? null, answer);
  };
  const after = await newest();
  const reading = take(readEvents({ baseUrl: app.baseUrl, token, after, fetch: unsteady, retryMs: 1 }), 20);
  const tasks = [...(await createTasks(app, fleet, 10)), ...(await createTasks(replica, fleet, 10))];
  const told = (await reading).map((event) => (event.type === "reset" ? undefined : event.task_id));
  expect(told).toEqual(tasks.map(({ id }) => id));
  expect(attempt).toBeGreaterThan(5);
});

test("takes a silent connection for a dead one, and one with heartbeats for a living one", async () => {
  let connections = 0;
  const counted: typeof fetch = (url, init) => {
    connections += 1;
    return fetch(url, init);
  };
  const after = await newest();
  const options = { token, after, fetch: counted, retryMs: 1, silenceMs: 300 };
  const quiet = take(readEvents({ ...options, baseUrl: app.baseUrl }), 1);
  await expect.poll(() => connections, { timeout: 10_000 }).toBeGreaterThan(2);
  connections = 0;
  const living = take(readEvents({ ...options, baseUrl: replica.baseUrl }), 1);
  await createTask(app, fleet);
  expect(await living).toEqual(await quiet);
});

test("tells of a reset, and where it goes on", async () => {
  const stream = take(readEvents({ baseUrl: app.baseUrl, token, after: "0000000000999999" }), 2);
  await expect.poll(() => app.feed.position(), { timeout: 5000 }).not.toBe("0".repeat(16));
  const id = await newest();
  await createTask(app, fleet);
  expect(await stream).toMatchObject([{ type: "reset", id }, { type: "task.created" }]);
});

test("ends with its signal, also while it waits to connect again", async () => {
  const ending = new AbortController();
  const away: typeof fetch = async () => {
    ending.abort();
    throw new TypeError("fetch failed");
  };
  const { signal } = ending;
  expect(await take(readEvents({ baseUrl: app.baseUrl, token, fetch: away, retryMs: 60_000, signal }), 1)).toEqual([]);
});

test("throws what cannot pass", async () => {
  const options = { baseUrl: app.baseUrl, token };
  const unknown = take(readEvents({ ...options, filters: { organization: "nobody" } }), 1);
  await expect(unknown).rejects.toMatchObject(refusal("unknown_filter", "?organization"));
  const outsider = await fetchToken("outsider");
  await expect(take(readEvents({ ...options, token: () => outsider }), 1)).rejects.toMatchObject(
    refusal("not_a_member"),
  );
  const page = async () => new Response("<h1>No</h1>", { status: 404 });
  await expect(take(readEvents({ ...options, fetch: page }), 1)).rejects.toMatchObject({
    name: "UnexpectedAnswerError",
  });
});
