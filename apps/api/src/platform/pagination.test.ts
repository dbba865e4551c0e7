// Cursors belong to the list they were made for (D-04), also where another list could read them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTasks, newSlug } from "../../test/factories.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  for (const _ of [1, 2]) await app.client.createOrganization({ body: { slug: newSlug() } });
});
afterAll(() => app.close());

test.each(["/agent-types", "/executors", "/tasks", "/dispatches", "/organizations?q=a"])(
  "a cursor of /organizations is refused by %s",
  async (path) => {
    const { next_cursor } = await app.client.listOrganizations({ query: { limit: 1 } });
    const search = path.includes("?") ? "&" : "?";
    expect(await app.problem(`${path}${search}cursor=${next_cursor}`)).toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "?cursor" }],
    });
  },
);

test("Link leads to the page that the cursor does, with and without the prefix", async () => {
  for (const base of [app.baseUrl, app.origin]) {
    const headers = { authorization: `Bearer ${app.token}` };
    const first = await fetch(`${base}/organizations?limit=1`, { headers });
    const { next_cursor } = (await first.json()) as { next_cursor: string };
    const [, link = ""] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "") ?? [];
    const [byLink, byCursor] = await Promise.all(
      [new URL(link, first.url).href, `${base}/organizations?limit=1&cursor=${next_cursor}`].map(async (url) =>
        (await fetch(url, { headers })).json(),
      ),
    );
    expect(byLink).toEqual(byCursor);
  }
});

describe("a forged cursor is refused by name", () => {
  let lists: Record<string, string>;
  beforeAll(async () => {
    const fleet = await createFleet(app);
    const [task] = await createTasks(app, fleet, 2);
    for (const executor of ["e1", "e2"]) await app.client.signalCapacity({ body: { executor, slots: 1 } });
    const params = { id: task?.id ?? "" };
    for (const text of ["a", "b"]) await app.client.createNote({ params, body: { text } });
    await createTasks(app, fleet, 2);
    lists = { task: `/tasks/${params.id}` };
  });

  const uuids = ["x", "urn:uuid:0190f3a4-0000-7000-8000-000000000001", ""];
  const eventIds = ["x", "-1", "99999999999999999999"];
  const texts = ["\0", "\ud800"];
  test.each<[path: string, parts: unknown[][]]>([
    ["/organizations", [texts]],
    ["/agent-types", [texts, texts]],
    ["/executors", [texts, texts]],
    ["/dispatches", [uuids]],
    ["/tasks", [uuids]],
    ["/tasks?sort=-updated_at", [["x", "2026-02-30T00:00:00.000Z", "0000-01-01T00:00:00.000Z", "infinity"], uuids]],
    [
      "/tasks?sort=queue",
      [
        [1.5, 2 ** 31, "1"],
        [1.5, 2 ** 53, null],
      ],
    ],
    ["/events", [eventIds]],
    ["{task}/events", [eventIds]],
    ["{task}/notes", [uuids]],
  ])("%s", async (template, parts) => {
    const path = template.replace("{task}", lists.task ?? "");
    const address = `${path}${path.includes("?") ? "&" : "?"}limit=1`;
    const headers = { authorization: `Bearer ${app.token}`, accept: "application/json" };
    const { next_cursor } = (await (await app.request(address, { headers })).json()) as { next_cursor: string };
    const whole = JSON.parse(Buffer.from(next_cursor, "base64url").toString()) as unknown[];
    expect(whole).toHaveLength(parts.length + 1);
    for (const [index, values] of parts.entries()) {
      for (const value of values) {
        const forged = Buffer.from(JSON.stringify(whole.with(index + 1, value))).toString("base64url");
        const problem = await app.problem(`${address}&cursor=${forged}`, { headers });
        expect(problem, String(value)).toMatchObject({ code: "invalid_request", errors: [{ pointer: "?cursor" }] });
      }
    }
  });
});
