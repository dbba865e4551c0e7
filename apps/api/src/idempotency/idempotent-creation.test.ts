// Idempotency-Key on every POST that creates (D-17): what a repeat is answered, and what it is refused for.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, type Fleet, newSlug, writeRepoFile } from "../../test/factories.ts";
import { postKeyed } from "../../test/keyed-requests.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { startTokenIssuer, type TokenIssuer } from "../../test/token-issuer.ts";
import { forgetKeys } from "./idempotency-queries.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app, ["developer", "leaving"]);
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const post = (path: string, body: unknown, key: string) => postKeyed(app, path, body, key);
const task = (title = "Keyed") => ({
  prompt: "Do the work",
  title,
  assignee_type: "agent",
  assignee: fleet.agentTypes.developer?.id,
});
const countTasks = async () => (await app.sql<{ count: number }[]>`select count(*) from tasks`)[0]?.count;
const age = (key: string, days: number) =>
  app.sql`update idempotency_keys set created_at = now() - make_interval(days => ${days}) where key = ${key}`;

interface Kind {
  path: () => string;
  body: () => Record<string, unknown>;
  other: () => Record<string, unknown>;
  remove: (id: string) => Promise<unknown>;
}

const removeTask = (id: string) => app.client.deleteTask({ params: { id } });
let noted = "";
const kinds: [string, Kind][] = [
  ["a task", { path: () => "/tasks", body: () => task(), other: () => task("Another"), remove: removeTask }],
  [
    "a bulk",
    {
      path: () => "/tasks/bulk",
      body: () => ({ tasks: [task("1"), task("2"), task("3")] }),
      other: () => ({ tasks: [task("2"), task("1"), task("3")] }),
      remove: removeTask,
    },
  ],
  [
    "a note",
    {
      path: () => `/tasks/${noted}/notes`,
      body: () => ({ text: "Look at the logs" }),
      other: () => ({ text: "Look at the logs again" }),
      remove: () => removeTask(noted),
    },
  ],
  [
    "an organization",
    {
      path: () => "/organizations",
      body: () => ({ name: "Keyed", slug: newSlug() }),
      other: () => ({ name: "Another", slug: newSlug() }),
      remove: (organization) => app.client.deleteOrganization({ params: { organization } }),
    },
  ],
];

describe.each(kinds)("%s", (_, { path, body, other, remove }) => {
  beforeAll(async () => {
    noted = (await createTask(app, fleet)).id;
  });
  const idOf = ({ id = "", items }: { id?: string; items?: { id: string }[] }) => items?.at(-1)?.id ?? id;

  test("sent again is what the first request created: 201, the same headers, and that it is a repeat", async () => {
    const [key, sent] = [randomUUID(), body()];
    const first = await post(path(), sent, key);
    expect(first).toMatchObject({ status: 201, isReplayed: false });
    const written = JSON.stringify(Object.fromEntries(Object.entries(sent).toReversed()), null, 2);
    expect(await post(path(), written, key)).toEqual({ ...first, isReplayed: true });
    expect(await post(path(), sent, key)).toEqual({ ...first, isReplayed: true });
  });

  test("is 422 for another body, and changes nothing about the first", async () => {
    const [key, sent] = [randomUUID(), body()];
    const first = await post(path(), sent, key);
    expect(await post(path(), other(), key)).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
    expect(await post(path(), sent, key)).toEqual({ ...first, isReplayed: true });
  });

  test("is 409 once it was deleted: it is not created anew", async () => {
    const [key, sent] = [randomUUID(), body()];
    const first = await post(path(), sent, key);
    await remove(idOf(first.body));
    expect(await post(path(), sent, key)).toMatchObject({ status: 409, body: { code: "conflict" } });
  });
});

describe("a repeat", () => {
  test("shows the resource as it is now, with its own version", async () => {
    const key = randomUUID();
    const { body, location } = await post("/tasks", task(), key);
    await app.client.updateTask({ params: { id: body.id ?? "" }, body: { title: "Renamed" } });
    expect(await post("/tasks", task(), key)).toMatchObject({
      status: 201,
      location,
      etag: '"2"',
      body: { id: body.id, title: "Renamed" },
    });
  });

  test("is answered also when it could not be created any more", async () => {
    const [key, assignee] = [randomUUID(), fleet.agentTypes.leaving?.id];
    const first = await post("/tasks", { ...task(), assignee }, key);
    await writeRepoFile(fleet.organization.slug, "personas/leaving.md", undefined);
    await app.client.syncOrganization({ params: { organization: fleet.organization.slug } });
    expect(await post("/tasks", { ...task(), assignee }, key)).toMatchObject({
      status: 201,
      body: { id: first.body.id },
    });
    expect(await post("/tasks", { ...task(), assignee }, randomUUID())).toMatchObject({ status: 422 });
  });

  test("of a worker's note is answered also when its dispatch is over", async () => {
    const { id } = await createTask(app, fleet, { priority: 9 });
    const handoff = await app.client.takeNextTask({ query: { organization: fleet.organization.slug } });
    const note = { text: "Half done", dispatch_id: handoff?.dispatch.id };
    const key = randomUUID();
    const first = await post(`/tasks/${id}/notes`, note, key);
    await app.client.requeueTask({ params: { id } });
    expect(await post(`/tasks/${id}/notes`, note, key)).toEqual({ ...first, isReplayed: true });
    await removeTask(id);
  });

  test("with the key for another operation, or another task's notes, is 422", async () => {
    const [one, two] = [await createTask(app, fleet), await createTask(app, fleet)];
    const [key, note] = [randomUUID(), { text: "Word" }];
    await post(`/tasks/${one.id}/notes`, note, key);
    for (const [path, body] of [[`/tasks/${two.id}/notes`, note] as const, ["/tasks", task()] as const]) {
      expect(await post(path, body, key)).toMatchObject({ body: { code: "idempotency_key_reused" } });
    }
  });
});

describe("a key", () => {
  test("is forgotten with what failed: only a success is remembered", async () => {
    const key = randomUUID();
    const faulty = { ...task(), assignee: `${fleet.organization.slug}/nobody` };
    for (const _ of [1, 2]) expect(await post("/tasks", faulty, key)).toMatchObject({ status: 422 });
    const bulk = await post("/tasks/bulk", { tasks: [task(), faulty] }, key);
    expect(bulk.body.code).toBe("unknown_assignee");
    expect(await post("/organizations", { slug: fleet.organization.slug }, key)).toMatchObject({
      body: { code: "slug_taken" },
    });
    expect(await post("/tasks", task(), key)).toMatchObject({ status: 201, isReplayed: false });
  });

  test("belongs to its caller: another one creates something else with it", async () => {
    const issuer: TokenIssuer = await startTokenIssuer();
    const elsewhere = await startTestApp({ beside: app, env: { OIDC_ISSUER: issuer.issuer } });
    const as = async (sub: string) => postKeyed(elsewhere, "/tasks", task(), "shared", await issuer.sign({ sub }));
    const [alice, bob] = [await as("alice"), await as("bob")];
    expect([alice.isReplayed, bob.isReplayed]).toEqual([false, false]);
    expect(bob.body.id).not.toBe(alice.body.id);
    expect(await as("alice")).toEqual({ ...alice, isReplayed: true });
    await elsewhere.close();
    await issuer.close();
  });

  test("is kept for 7 days and free afterwards, swept away or not", async () => {
    const key = randomUUID();
    const first = await post("/tasks", task(), key);
    await age(key, 6);
    await forgetKeys(app.sql);
    expect(await post("/tasks", task(), key)).toMatchObject({ isReplayed: true, body: { id: first.body.id } });
    await age(key, 8);
    const second = await post("/tasks", task("Another"), key);
    expect(second).toMatchObject({ status: 201, isReplayed: false });
    await age(key, 8);
    await forgetKeys(app.sql);
    expect(await app.sql`select from idempotency_keys where key = ${key}`).toHaveLength(0);
  });

  test("that thousands have outlived is swept in batches", async () => {
    await app.sql`
      insert into idempotency_keys (sub, key, fingerprint, resource_ids, created_at)
      select 'sweeper', n::text, '', '{}', now() - make_interval(days => case when n > 2500 then 6 else 8 end)
      from generate_series(1, 2505) n
    `;
    await forgetKeys(app.sql);
    expect(await app.sql`select from idempotency_keys where sub = 'sweeper'`).toHaveLength(5);
  });

  test.each([[""], ["two words"], ["x".repeat(256)], ["tab\tbed"], ["é\u0085"]])(
    "of other than 1 to 255 visible characters is 400: %j",
    async (key) => {
      const before = await countTasks();
      expect(await post("/tasks", task(), key)).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ pointer: "?idempotency-key" }] },
      });
      expect(await countTasks()).toBe(before);
    },
  );

  test("may have 255 characters, and any that are visible", async () => {
    const key = `"${"k".repeat(252)}~é`;
    const first = await post("/tasks", task(), key.slice(0, 255));
    expect(await post("/tasks", task(), key.slice(0, 255))).toEqual({ ...first, isReplayed: true });
  });
});
