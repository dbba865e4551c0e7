// Search (D-16): which words are found where, and that windows of the index neither miss nor repeat a task.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, createTasks, type Fleet } from "../../test/factories.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { asId } from "./task-columns.ts";
import { resolveFilters } from "./task-filters.ts";
import { searchTasks } from "./task-search.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
});
afterAll(() => app.close());

const find = async (q: string) => (await app.client.listTasks({ query: { q } })).items.map(({ title }) => title);

describe("a task is found by", () => {
  beforeAll(async () => {
    const prompts: Record<string, string> = {
      "Flaky login-test": "See src/auth/LoginForm.ts, don’t mock user@example.com",
      Überprüfung: "日本語 <b>bold</b> v1.2.3 foo_bar 🦀",
      Long: `${"x ".repeat(4090)}inside outside`,
      Hostile: `' & | ! <-> :* \\ " ' ${"y".repeat(5000)} end`,
    };
    for (const [title, prompt] of Object.entries(prompts)) await createTask(app, fleet, { title, prompt });
  });

  test.each([
    ["a word of the title", "flaky", "Flaky login-test"],
    ["its beginning", "fla", "Flaky login-test"],
    ["words in any order and case", "TEST Flaky", "Flaky login-test"],
    ["words of title and prompt together", "flaky mock", "Flaky login-test"],
    ["a part of a path", "auth", "Flaky login-test"],
    ["a path, by its parts", "auth/LoginForm.ts", "Flaky login-test"],
    ["a part of an address", "example.com", "Flaky login-test"],
    ["a word with an accent", "überprüfung", "Überprüfung"],
    ["another script", "日本", "Überprüfung"],
    ["what stands between tags", "bold", "Überprüfung"],
    ["a version", "v1.2", "Überprüfung"],
    ["half of a name with an underscore", "bar", "Überprüfung"],
    ["what stands before the 8,193rd character", "inside", "Long"],
    ["a word among operators", "end", "Hostile"],
  ])("%s", async (_, q, expected) => expect(await find(q)).toEqual([expected]));

  test.each([
    ["the beginning of a word that is not the last", "fla test"],
    ["the middle of a word", "ogin"],
    ["one word too many", "flaky nothing"],
    ["what stands behind the 8,192nd character", "outside"],
    ["a word that is too long to be one", "y".repeat(150)],
  ])("but not by %s", async (_, q) => expect(await find(q)).toEqual([]));

  test("its id", async () => {
    const { id, title } = await createTask(app, fleet, { title: "By id" });
    expect(await find(id)).toEqual([title]);
    expect(await find(` ${id.toUpperCase()} `)).toEqual([title]);
    expect(await find("01a1fd9e-0000-7000-8000-000000000000")).toEqual([]);
  });

  test("and what holds no word narrows nothing", async () => {
    expect((await find("...")).length).toBeGreaterThan(3);
  });

  test.each(["'", "\\", "a'b:*", "a & b", "!(a)", "<->", ":*", "a:b:c", "''''", "\\'", "$$"])(
    "%j is words and punctuation, never an operator or a fault",
    async (q) => expect((await app.request(`/tasks?q=${encodeURIComponent(q)}`)).status).toBe(200),
  );

  test("a text that changed is found at once, the one before no more", async () => {
    const { id } = await createTask(app, fleet, { title: "Walrus", prompt: "narwhal" });
    await app.client.updateTask({ params: { id }, body: { title: "Octopus" } });
    expect(await find("octopus narwhal")).toEqual(["Octopus"]);
    expect(await find("walrus")).toEqual([]);
  });
});

/** They were made within milliseconds: as windows go by time, each gets an id of its own day, the newest close together. */
const spreadOverMonths = async (ids: readonly string[]): Promise<string[]> => {
  const earlier = ids.map((id, index) => {
    const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - (ids.length - index) ** 2 * 1_000_000;
    return (
      ms
        .toString(16)
        .padStart(12, "0")
        .replace(/^(.{8})/, "$1-") + id.slice(13)
    );
  });
  await app.sql`
    update tasks set id = moved.after, root_id = moved.after
    from unnest(${[...ids]}::uuid[], ${earlier}::uuid[]) as moved (before, after) where tasks.id = moved.before
  `;
  return earlier;
};

test("windows of any size find what the words are in, in order, from anywhere", async () => {
  const other = await createFleet(app);
  const tasks = await createTasks(app, fleet, 150, (n) => ({
    title: ["quick brown fox", "brown bear", "quick hare"][(n * 7) % 3] ?? "",
    ...(n % 4 === 0 && { assignee: Object.values(other.agentTypes)[n % 2]?.id ?? "" }),
  }));
  const ids = await spreadOverMonths(tasks.map(({ id }) => id));
  const isFound = ({ title, organization_slug }: (typeof tasks)[number], q: string, slugs: readonly string[]) => {
    const asked = q.split(" ");
    const words = title.split(" ");
    return (
      asked.slice(0, -1).every((word) => words.includes(word)) &&
      words.some((word) => word.startsWith(asked.at(-1) ?? "")) &&
      (slugs.length === 0 || slugs.includes(organization_slug))
    );
  };
  const { reads } = app.database;
  const upTo = (max: number) => fc.integer({ min: 2, max });
  const sizes = fc.record({
    readTasks: upTo(20),
    maxReadTasks: upTo(60),
    probedTasks: upTo(20),
    windowTasks: upTo(60),
    maxFetched: upTo(60),
  });
  const queries = fc.constantFrom("quick", "brown fox", "q", "brown b", "hare quick", "none");
  const owners = fc.constantFrom(
    [],
    [other.organization.slug],
    [other, fleet].map(({ organization: { slug } }) => slug),
  );
  const pages = fc.record({
    isDescending: fc.boolean(),
    after: fc.option(fc.constantFrom(...ids), { nil: undefined }),
    count: fc.integer({ min: 1, max: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(queries, owners, pages, sizes, async (q, slugs, page, sizes) => {
      const filters = await resolveFilters(reads, { q, ...(slugs.length > 0 && { organization: slugs }) });
      const rows = await searchTasks(reads, filters, filters.words ?? "", page, asId(reads), sizes);
      const { after, isDescending, count } = page;
      const found = ids
        .filter((_, index) => isFound(tasks[index] as (typeof tasks)[number], q, slugs))
        .filter((id) => after === undefined || (isDescending ? id < after : id > after));
      expect(rows.map(({ id }) => id)).toEqual((isDescending ? found.toReversed() : found).slice(0, count));
    }),
    { numRuns: 300 },
  );
}, 60_000);
