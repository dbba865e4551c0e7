// The history in pages (D-04, D-28): newest first, by any filter, without gap or repeat, each page from an index.
import type { Event } from "@task-service/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFleet, createTasks, type Fleet } from "../../test/factories.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { type Queryable, transact } from "../platform/database.ts";
import { beforeFirst, type EventFilter, listNewest, readStretch } from "./history-queries.ts";

let app: TestApp;
let fleets: Fleet[];
let taskId: string;
beforeAll(async () => {
  app = await startTestApp();
  fleets = [await createFleet(app), await createFleet(app)];
  for (const fleet of fleets) {
    const tasks = await createTasks(app, fleet, 15);
    for (const { id } of tasks) await app.client.updateTask({ params: { id }, body: { labels: ["x"] } });
    taskId = tasks[0]?.id ?? "";
  }
  for (let priority = 1; priority <= 12; priority++) {
    await app.client.updateTask({ params: { id: taskId }, body: { priority } });
  }
});
afterAll(() => app.close());

type Query = NonNullable<Parameters<typeof app.client.listEvents>[0]>["query"] & object;

const readAll = async (query: Query): Promise<Event[]> => {
  const events: Event[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await app.client.listEvents({ query: { ...query, ...(cursor && { cursor }) } });
    events.push(...page.items);
    cursor = page.next_cursor;
  }
  return events;
};

test("every filter gives what it says, page by page", async () => {
  const all = await readAll({ limit: 200 });
  expect(all.length).toBe(2 * 2 + 2 * 15 * 2 + 12);
  expect(all.map(({ id }) => id)).toEqual(
    all
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  );
  const [organization = "", slug = ""] = [fleets[0]?.organization.id, fleets[1]?.organization.slug];
  const other = fleets[1]?.organization.id;
  const after = all[20]?.id ?? "";
  const cases: [Query, (event: Event) => boolean][] = [
    [{}, () => true],
    [{ organization }, (event) => event.organization_id === organization],
    [{ organization: slug.toUpperCase() }, (event) => event.organization_id === other],
    [{ task: taskId }, (event) => event.task_id === taskId],
    [{ type: ["task.created", "agents.synced"] }, ({ type }) => type === "task.created" || type === "agents.synced"],
    [
      { organization, type: ["task.updated"] },
      (event) => event.organization_id === organization && event.type === "task.updated",
    ],
    [{ task: taskId, type: ["task.updated"] }, (event) => event.task_id === taskId && event.type === "task.updated"],
    [{ after }, ({ id }) => id > after],
    [{ after, type: ["task.created"] }, ({ id, type }) => id > after && type === "task.created"],
    [{ type: ["task.deleted"] }, () => false],
    [{ organization: "nobody" }, () => false],
  ];
  for (const [query, isWanted] of cases) {
    expect([query, await readAll({ ...query, limit: 7 })]).toEqual([query, all.filter(isWanted)]);
  }
});

test("events stay, by their organization's id, when it is gone", async () => {
  const { id } = await app.client.createOrganization({ body: { slug: "short-lived" } });
  await app.client.deleteOrganization({ params: { organization: id } });
  const { items } = await app.client.listEvents({ query: { organization: id } });
  expect(items.map(({ type }) => type)).toEqual(["organization.deleted", "organization.created"]);
});

test("a cursor belongs to its filters", async () => {
  const { next_cursor } = await app.client.listEvents({ query: { limit: 1, type: ["task.created"] } });
  const cursor = next_cursor ?? "";
  const foreign = app.client.listEvents({ query: { limit: 1, type: ["task.updated"], cursor } });
  await expect(foreign).rejects.toMatchObject(refusal("invalid_request", "?cursor"));
});

test("a type named twice counts once", async () => {
  const once = await readAll({ type: ["task.created"] });
  expect(await readAll({ type: ["task.created", "task.created"], limit: 7 })).toEqual(once);
});

test("no page and no replay reads much more than it shows, wherever it begins", async () => {
  const organization = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;
  // Few of one type and of one organization, and all of them late.
  await app.sql`
    insert into events (type, organization_id, task_id, actor)
    select case when n > 29990 then 'task.expired' else 'task.created' end,
      case when n > 29990 then ${organization(1)}::uuid else ${organization(2)}::uuid end, gen_random_uuid(), '{}'
    from generate_series(1, 30000) n
  `;
  await app.sql`analyze events`;
  const [{ last = "" } = {}] = await app.sql<
    { last: string }[]
  >`select lpad(max(id)::text, 16, '0') as last from events`;
  const middle = String(Number(last) - 15_000).padStart(16, "0");
  const rowsRead = (read: (sql: Queryable) => Promise<unknown>) =>
    transact(app.database.reads, async (sql) => {
      const count = async () => {
        const [row] = await sql<{ n: number }[]>`
          select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as n from pg_stat_xact_user_tables where relname = 'events'
        `;
        return row?.n ?? 0;
      };
      const before = await count();
      await read(sql);
      return (await count()) - before;
    });
  const filters: EventFilter[] = [
    {},
    { types: ["task.expired"] },
    { types: ["task.deleted", "task.expired"] },
    { organization_id: organization(1) },
    { organization_id: organization(2) },
    { organization_id: organization(2), types: ["task.expired"] },
    { task_id: taskId },
    { task_id: taskId, types: ["task.deleted"] },
  ];
  for (const filter of filters) {
    for (const end of [{ upTo: last }, { before: middle }]) {
      for (const read of [listNewest, readStretch]) {
        const n = await rowsRead((sql) => read(sql, filter, { after: beforeFirst, ...end }, 50));
        expect([filter, end, n], read.name).toEqual([filter, end, expect.toSatisfy((count: number) => count <= 150)]);
      }
    }
  }
});
