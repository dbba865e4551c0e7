// GET /tasks (D-16): filters, both orders, pages that neither miss nor repeat, cursors.
import type { Task, TaskQuery } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, type Fleet } from "../../test/factories.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let here: Fleet;
let there: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  here = await createFleet(app, ["developer", "reviewer"]);
  there = await createFleet(app, ["tester"]);
});
afterAll(() => app.close());

type Query = Partial<TaskQuery>;
const list = (query: Query) => app.client.listTasks({ query });
const titles = async (query: Query) => (await list(query)).items.map(({ title }) => title);

/** Follows `Link` headers from page to page. */
const followPages = async (query: Query, between: () => Promise<unknown> = async () => {}): Promise<Task[]> => {
  const items: Task[] = [];
  let url: string | undefined =
    `${app.baseUrl}/tasks?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])))}`;
  while (url !== undefined) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${app.token}` } });
    const page = (await response.json()) as { items: Task[]; next_cursor: string | null };
    const link = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
    expect(link === undefined).toBe(page.next_cursor === null);
    items.push(...page.items);
    url = link && new URL(link, url).href;
    await between();
  }
  return items;
};

describe("filters", () => {
  let parent: Task;
  beforeAll(async () => {
    const { slug } = there.organization;
    parent = await createTask(app, here, { title: "parent" });
    await createTask(app, here, {
      title: "review",
      assignee: here.agentTypes.reviewer?.id ?? "",
      parent_id: parent.id,
    });
    await createTask(app, there, { title: "taken", parent_id: parent.id });
    await app.client.takeNextTask({ query: { organization: slug } });
    await createTask(app, there, { title: "test" });
    await createTask(app, there, { title: "for Ada", assignee_type: "user", assignee: "Ada", organization: slug });
  });

  const slug = (fleet: () => Fleet) => () => fleet().organization.slug;
  test.each<[string, () => Query, string[]]>([
    ["nothing", () => ({}), ["for Ada", "test", "taken", "review", "parent"]],
    ["the older first", () => ({ sort: "created_at" }), ["parent", "review", "taken", "test", "for Ada"]],
    ["what is dispatched", () => ({ state: "dispatched" }), ["taken"]],
    ["what is queued", () => ({ state: "queued" }), ["for Ada", "test", "review", "parent"]],
    [
      "an organization by slug, in any case",
      () => ({ organization: [slug(() => here)().toUpperCase()] }),
      ["review", "parent"],
    ],
    ["an organization by id", () => ({ organization: [here.organization.id] }), ["review", "parent"]],
    [
      "any of two organizations",
      () => ({ organization: [here.organization.id, slug(() => there)()] }),
      ["for Ada", "test", "taken", "review", "parent"],
    ],
    ["an organization that is none", () => ({ organization: ["nobody"] }), []],
    ["an agent type by id", () => ({ assignee: [here.agentTypes.reviewer?.id ?? ""] }), ["review"]],
    ["an agent type by slug", () => ({ assignee: [`${slug(() => there)()}/tester`] }), ["test", "taken"]],
    ["a person", () => ({ assignee: ["Ada"] }), ["for Ada"]],
    [
      "any of a person and an agent type",
      () => ({ assignee: ["Ada", `${slug(() => here)()}/reviewer`] }),
      ["for Ada", "review"],
    ],
    ["an agent type that is none", () => ({ assignee: ["nobody/nothing"] }), []],
    ["a parent", () => ({ parent_id: parent.id.toUpperCase() }), ["taken", "review"]],
    [
      "all together",
      () => ({
        parent_id: parent.id,
        state: "queued",
        organization: [slug(() => here)()],
        assignee: [`${slug(() => here)()}/reviewer`],
        sort: "queue",
      }),
      ["review"],
    ],
    [
      "all together, and one too many",
      () => ({ parent_id: parent.id, state: "queued", organization: [slug(() => there)()] }),
      [],
    ],
    ["the queue: agent types alone, in the order of dispatch", () => ({ sort: "queue" }), ["parent", "review", "test"]],
    ["the queue of what is dispatched", () => ({ sort: "queue", state: "dispatched" }), []],
  ])("%s", async (_, query, expected) => {
    expect(await titles(query())).toEqual(expected);
  });

  test("lists show the prompt's first 300 characters in place of prompt and result", async () => {
    const prompt = "🦀".repeat(301);
    const { id } = await createTask(app, here, { title: "long", prompt, priority: 9 });
    const [task] = (await list({ sort: "queue" })).items;
    const { prompt: _prompt, result: _result, ...summary } = await app.client.getTask({ params: { id } });
    expect(task).toEqual({ ...summary, prompt_excerpt: "🦀".repeat(300) });
    await app.client.deleteTask({ params: { id } });
  });
});

describe("the queue", () => {
  test("is by priority, higher first, and then by age", async () => {
    const fleet = await createFleet(app);
    const priorities = [0, 5, -32_768, 5, 0, 32_767];
    for (const priority of priorities) await createTask(app, fleet, { priority, title: `${priority}` });
    const organization = [fleet.organization.slug];
    const order = (await list({ sort: "queue", organization })).items;
    expect(order.map(({ priority }) => priority)).toEqual([32_767, 5, 5, 0, 0, -32_768]);
    const ids = order.map(({ id }) => id);
    expect(ids[1]?.localeCompare(ids[2] ?? "")).toBe(-1);
    expect(ids[3]?.localeCompare(ids[4] ?? "")).toBe(-1);
  });
});

describe("pages", () => {
  let fleet: Fleet;
  const lasting: Task[] = [];
  const passing: Task[] = [];
  const make = (n: number) => createTask(app, fleet, { priority: n % 3, title: `${n}` });
  beforeAll(async () => {
    fleet = await createFleet(app);
    for (let n = 0; n < 120; n++) {
      lasting.push(await make(n));
      if (n % 5 === 0) passing.push(await make(n));
    }
  });

  test.each(["-created_at", "created_at", "queue"] as const)(
    "by %s neither miss nor repeat one of 120 tasks while others come and go",
    async (sort) => {
      const disturb = async () => {
        await make(1);
        const id = passing.pop()?.id;
        if (id) await app.client.deleteTask({ params: { id } });
      };
      const query: Query = { sort, limit: 17, organization: [fleet.organization.slug] };
      const seen = (await followPages(query, disturb)).map(({ id }) => id);
      expect(new Set(seen).size).toBe(seen.length);
      const inOrder = {
        created_at: lasting,
        "-created_at": lasting.toReversed(),
        queue: lasting.toSorted((a, b) => b.priority - a.priority),
      };
      const ids = inOrder[sort].map(({ id }) => id);
      expect(seen.filter((id) => ids.includes(id))).toEqual(ids);
    },
  );

  test("end with a null cursor, also when the last one is full", async () => {
    const few = await createFleet(app);
    for (let n = 0; n < 4; n++) await createTask(app, few);
    const query = { organization: [few.organization.slug], limit: 2 };
    const first = await list(query);
    const second = await list({ ...query, cursor: first.next_cursor ?? "" });
    expect([first.items.length, second.items.length, second.next_cursor]).toEqual([2, 2, null]);
  });
});

describe("a cursor", () => {
  let cursor: string;
  beforeAll(async () => {
    cursor = (await list({ limit: 1 })).next_cursor ?? "";
  });
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const printOf = (sent: string) => JSON.parse(Buffer.from(sent, "base64url").toString())[0];

  test.each<[string, () => Query]>([
    ["damaged", () => ({ cursor: cursor.slice(1) })],
    ["made up", () => ({ cursor: "x" })],
    ["empty", () => ({ cursor: "" })],
    ["an object", () => ({ cursor: encoded({}) })],
    ["of another sort", () => ({ cursor, sort: "created_at" })],
    ["of another sort, the queue", () => ({ cursor, sort: "queue" })],
    ["of another filter", () => ({ cursor, state: "queued" })],
    ["with a key too many", () => ({ cursor: encoded([printOf(cursor), "a", "b"]) })],
    ["with a key of another type", () => ({ cursor: encoded([printOf(cursor), 1]) })],
  ])("that is %s is 400", async (_, query) => {
    await expect(list({ limit: 1, ...query() })).rejects.toMatchObject(refusal("invalid_request", "?cursor"));
  });

  test.each(["no uuid", "", "a\0b", "\ud800"])("forged to begin at %j is 400, never 500", async (key) => {
    await expect(list({ cursor: encoded([printOf(cursor), key]) })).rejects.toMatchObject({ code: "invalid_request" });
  });

  test.each([
    [1e300, 1],
    [1.5, 1],
    [1, -(2 ** 63)],
    [0, 2 ** 70],
  ])("of the queue forged as %j is 400 or a page, never 500", async (...key) => {
    const first = await list({ sort: "queue", limit: 1 });
    const forged = encoded([printOf(first.next_cursor ?? ""), ...key]);
    const response = await app.request(`/tasks?sort=queue&cursor=${forged}`);
    expect([200, 400]).toContain(response.status);
  });

  test("may be used with another limit", async () => {
    expect((await list({ cursor, limit: 200 })).items.length).toBeGreaterThan(1);
  });
});

describe("parameters", () => {
  test.each([
    ["?limit", "limit=0"],
    ["?limit", "limit=201"],
    ["?limit", "limit=1&limit=2"],
    ["?state", "state=done"],
    ["?state", "state=queued&state=dispatched"],
    ["?sort", "sort=priority"],
    ["?sort", "sort=queue&sort=queue"],
    ["?parent_id", "parent_id=1"],
    ["?organization/0", "organization="],
    ["?assignee/0", "assignee=%20"],
    ["?offset", "offset=10"],
  ])("%s is named for %s", async (pointer, query) => {
    expect(await app.problem(`/tasks?${query}`)).toMatchObject({ code: "invalid_request", errors: [{ pointer }] });
  });
});
