// Reading agent types over HTTP (D-11): the resource, the list's order, filters and counts.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, type Fleet, personaFile, writeRepoFile } from "../../test/factories.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let one: Fleet;
let other: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  one = await createFleet(app, ["developer", "reviewer", "tester"]);
  other = await createFleet(app, ["developer"]);
  const { slug } = one.organization;
  await writeRepoFile(slug, "personas/tester.md", undefined);
  await writeRepoFile(slug, "personas/qa_1.md", personaFile("100% tester"));
  await app.client.syncOrganization({ params: { organization: slug } });
});
afterAll(() => app.close());

const list = async (query: Parameters<TestApp["client"]["listAgentTypes"]>[0] = {}) =>
  (await app.client.listAgentTypes(query)).items;
const slugs = async (query: NonNullable<Parameters<TestApp["client"]["listAgentTypes"]>[0]>["query"] = {}) =>
  (await list({ query })).map(({ slug }) => slug);

describe("GET /agent-types", () => {
  test("is ordered by organization and slug, inactive ones included, without bodies", async () => {
    const items = await list();
    const fleets = [one, other].toSorted((a, b) => (a.organization.slug < b.organization.slug ? -1 : 1));
    const slugsOf = (fleet: Fleet) => (fleet === one ? ["developer", "qa_1", "reviewer", "tester"] : ["developer"]);
    expect(items.map(({ organization_slug, slug }) => [organization_slug, slug])).toEqual(
      fleets.flatMap((fleet) => slugsOf(fleet).map((slug) => [fleet.organization.slug, slug])),
    );
    expect(items[0]).not.toHaveProperty("body");
    const { body: _body, ...summary } = await app.client.getAgentType({ params: { id: items[0]?.id ?? "" } });
    expect(items[0]).toEqual(summary);
  });

  test("pages follow that order without gap or repeat", async () => {
    const seen: string[] = [];
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page = await app.client.listAgentTypes({ query: { limit: 2, ...(cursor && { cursor }) } });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual((await list()).map(({ id }) => id));
  });

  test("is filtered by organization, activity, slug and words, each alone and together", async () => {
    const organization = one.organization.slug;
    expect(await slugs({ organization: organization.toUpperCase() })).toEqual([
      "developer",
      "qa_1",
      "reviewer",
      "tester",
    ]);
    expect(await slugs({ organization: one.organization.id, is_active: true })).toEqual([
      "developer",
      "qa_1",
      "reviewer",
    ]);
    expect(await slugs({ organization, is_active: false })).toEqual(["tester"]);
    expect(await slugs({ slug: "developer" })).toEqual(["developer", "developer"]);
    expect(await slugs({ q: "A_1" })).toEqual(["qa_1"]);
    expect(await slugs({ q: "100% T" })).toEqual(["qa_1"]);
    expect(await slugs({ q: "does what a rev" })).toEqual(["reviewer"]);
    expect(await slugs({ organization, slug: "developer", q: "dev", is_active: true })).toEqual(["developer"]);
    expect(await slugs({ organization: "nobody" })).toEqual([]);
  });

  test("counts what waits and what is live", async () => {
    const { organization, agentTypes } = other;
    for (let n = 0; n < 3; n++) await createTask(app, other);
    const take = () => app.client.takeNextTask({ query: { organization: organization.id } });
    const [first] = [await take(), await take()];
    await app.client.finishDispatch({ params: { id: first?.dispatch.id ?? "" } });
    expect(await app.client.getAgentType({ params: { id: agentTypes.developer?.id ?? "" } })).toMatchObject({
      queued_count: 1,
      dispatched_count: 1,
    });
  });

  test.each([
    ["?is_active", "is_active=yes"],
    ["?is_active", "is_active=1"],
    ["?organization", "organization=a&organization=b"],
    ["?q", "q="],
    ["?limit", "limit=0"],
    ["?cursor", "cursor=x"],
    ["?name", "name=x"],
  ])("names %s for %s", async (pointer, query) => {
    expect(await app.problem(`/agent-types?${query}`)).toMatchObject({
      code: "invalid_request",
      errors: [{ pointer }],
    });
  });

  test("a cursor of another filter is 400", async () => {
    const { next_cursor } = await app.client.listAgentTypes({ query: { limit: 1 } });
    const foreign = app.client.listAgentTypes({ query: { limit: 1, slug: "developer", cursor: next_cursor ?? "" } });
    await expect(foreign).rejects.toMatchObject(refusal("invalid_request", "?cursor"));
  });
});

test("agent types cannot be written", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const id = one.agentTypes.developer?.id;
    expect(await app.problem(`/agent-types/${id}`, { method })).toMatchObject({ code: "method_not_allowed" });
  }
});
