// The stream of events (D-28): its frames, where it begins and resumes, its filters, and when it ends.
import { afterAll, beforeAll, expect, test } from "vitest";
import { allTold, readStream } from "../../test/event-reader.ts";
import { createFleet, createTask, createTasks, type Fleet, takeTask } from "../../test/factories.ts";
import { fetchToken, startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
});
afterAll(() => app.close());

const authorized = () => ({ authorization: `Bearer ${app.token}` });
const asJson = { accept: "application/json" };
const typesOf = (events: { type: string }[]) => events.map(({ type }) => type);

test("begins now, tells its place first, and then what happens as the pages tell it", async () => {
  await createTask(app, fleet);
  await allTold(app);
  const reader = await readStream(app);
  expect(reader.response).toMatchObject({
    statusCode: 200,
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
  expect(reader.response.headers["x-request-id"]).toBeTruthy();
  await createTask(app, fleet, { title: "Tell\nof it" });
  const { dispatch } = await takeTask(app, fleet);
  await app.client.finishDispatch({ params: { id: dispatch.id } });
  const events = await reader.until(3);
  expect(typesOf(events)).toEqual(["task.created", "task.dispatched", "task.finished"]);

  const { items } = await app.client.listEvents({ query: { limit: 4 } });
  expect(items.toReversed().slice(1)).toEqual(events);
  const [place, ...frames] = reader.frames;
  expect(place).toEqual({ id: items[3]?.id, retry: "1000" });
  expect(frames).toEqual(events.map((event) => ({ id: event.id, event: event.type, data: JSON.stringify(event) })));
  reader.close();
});

test.each(["last-event-id", "after", "both"])("resumes by %s at any place and goes on from there", async (way) => {
  await allTold(app);
  const whole = await readStream(app);
  await createTasks(app, fleet, 5);
  await whole.until(5);
  const places = whole.frames.flatMap(({ id }) => id ?? []);
  expect(places).toHaveLength(6);
  for (const [n, place] of places.entries()) {
    const query = way === "last-event-id" ? "" : `?after=${place}`;
    const headers: Record<string, string> = way === "after" ? {} : { "last-event-id": place };
    const resumed = await readStream(app, { query, headers });
    expect(await resumed.until(5)).toEqual(whole.events().slice(n));
    await createTask(app, fleet);
    const all = await whole.until(6 + n);
    expect(await resumed.until(all.length - n)).toEqual(all.slice(n));
    expect(resumed.frames[0]).toEqual({ retry: "1000" });
    resumed.close();
  }
  whole.close();
});

test("filters by organization, task and types, what was and what comes", async () => {
  const other = await createFleet(app);
  const { id } = await createTask(app, fleet);
  await allTold(app);
  const start = await readStream(app);
  const after = start.lastId();
  start.close();
  let priority = 0;
  const change = async () => {
    priority += 1;
    await app.client.updateTask({ params: { id }, body: { priority } });
    await app.client.updateOrganization({
      params: { organization: other.organization.slug },
      body: { name: `${priority}` },
    });
    await createTask(app, other);
  };
  await change();
  const wanted = {
    "": ["task.updated", "organization.updated", "task.created"],
    [`organization=${other.organization.slug.toUpperCase()}&`]: ["organization.updated", "task.created"],
    [`organization=${other.organization.id}&type=task.created&`]: ["task.created"],
    [`task=${id}&`]: ["task.updated"],
    [`task=${id}&type=task.created&`]: [],
    [`task=${id}&organization=${fleet.organization.id}&type=task.updated&`]: ["task.updated"],
    [`task=${id}&organization=${other.organization.id}&`]: [],
    "type=task.updated&type=organization.updated&": ["task.updated", "organization.updated"],
  };
  const readers = await Promise.all(
    Object.entries(wanted).map(async ([filter, types]) => {
      const reader = await readStream(app, { query: `?${filter}after=${after}` });
      await reader.until(types.length);
      return { filter, types, reader };
    }),
  );
  await change();
  // Whoever wants all has got all: nothing is on its way to the others.
  const [all] = readers;
  await all?.reader.until(6);
  for (const { filter, types, reader } of readers) {
    const events = await reader.until(types.length * 2);
    expect([filter, typesOf(events)]).toEqual([filter, [...types, ...types]]);
    reader.close();
    const pages = await app.request(`/events?${filter}after=${after}`, { headers: { ...asJson, ...authorized() } });
    expect(((await pages.json()) as { items: object[] }).items.toReversed()).toEqual(events);
  }
});

test.each([
  ["one that never was", "0000000000999999"],
  ["the largest there could be", "9999999999999999"],
])("is told so when its place is not kept: %s", async (_, after) => {
  const reader = await readStream(app, { query: `?after=${after}` });
  const place = await app.client.listEvents({ query: { limit: 1 } });
  await createTask(app, fleet);
  await reader.until(1);
  const [reset, created] = reader.frames;
  expect(reset).toEqual({ retry: "1000", id: place.items[0]?.id, event: "reset", data: "{}" });
  expect(created).toMatchObject({ event: "task.created" });
  reader.close();
});

test("is told so when its place is older than what is kept", async () => {
  await createTask(app, fleet);
  const { items } = await app.client.listEvents({ query: { limit: 1 } });
  const id = items[0]?.id ?? "";
  await app.sql`update events set at = now() - interval '366 days' where id = ${id}::bigint`;
  const reader = await readStream(app, { headers: { "last-event-id": id } });
  expect(reader.frames[0]).toMatchObject({ event: "reset", id });
  reader.close();
});

test.each([
  ["?after=17", {}, "?after"],
  ["?after=", {}, "?after"],
  ["", { "last-event-id": "x".repeat(16) }, "?last-event-id"],
  ["?after=0000000000000001", { "last-event-id": "0000000000000002" }, "?after"],
  ["?type=task.unheard_of", {}, "?type/0"],
  ["?task=me", {}, "?task"],
  ["?limit=5", {}, "?limit"],
  ["?cursor=abc", {}, "?cursor"],
  ["?since=now", {}, "?since"],
])("refuses GET /events%s %o before it begins", async (query, headers, pointer) => {
  const problem = await app.problem(`/events${query}`, { headers: { ...authorized(), ...headers } });
  expect(problem).toMatchObject({ code: "invalid_request", errors: [{ pointer }] });
});

test("refuses what can never match, and who may not read", async () => {
  const unknown = await app.problem("/events?organization=nobody", { headers: authorized() });
  expect(unknown).toMatchObject({ code: "unknown_filter", errors: [{ pointer: "?organization" }] });
  expect(await app.problem("/events", { headers: {} })).toMatchObject({ code: "unauthenticated" });
  const outsider = { authorization: `Bearer ${await fetchToken("outsider")}` };
  expect(await app.problem("/events", { headers: outsider })).toMatchObject({ code: "not_a_member" });
});

test.each([
  ["*/*", "text/event-stream"],
  ["text/html", "text/event-stream"],
  ["application/json, text/event-stream", "text/event-stream"],
  ["application/json", "application/json; charset=utf-8"],
  ["text/html, Application/JSON;q=0.9", "application/json; charset=utf-8"],
])("Accept: %s gets %s", async (accept, type) => {
  const reader = await readStream(app, { headers: { accept } });
  expect(reader.response.headers["content-type"]).toBe(type);
  reader.close();
});
