// Cursors belong to the list they were made for (D-04), also where another list could read them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSlug } from "../../test/factories.ts";
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
