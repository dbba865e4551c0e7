// Reading issues and pull requests (D-34): answers of Gitea and Forgejo, odd ones, and lists in pages.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerJson, type ScriptedGitHost, startScriptedGitHost } from "../../test/scripted-git-host.ts";
import { readMessage } from "../../test/signed-delivery.ts";
import { createIssueHost, type IssueHost } from "./git-host-issues.ts";
import { createGitHostRequests } from "./git-host-requests.ts";
import { readInstant, readIssueFields, readPullFields, readRepository } from "./issue-reading.ts";

let host: ScriptedGitHost;
let issueHost: IssueHost;
beforeAll(async () => {
  host = await startScriptedGitHost();
  issueHost = createIssueHost(createGitHostRequests({ apiUrl: `${host.url}/api/v1`, readToken: "token" }));
});
afterAll(() => host.stop());

const sample = (name: string) => JSON.parse(readMessage(name).toString()) as Record<string, unknown>;
const repository = { owner: "acme", repo: "webshop" };
const since = "2026-08-04T00:00:00.000Z";

const pull = {
  number: 18,
  kind: "pull_request",
  state: "merged",
  draft: false,
  title: "Start cart total at zero",
  labels: ["kind/bug"],
  updated_at: "2026-08-04T14:02:32.000Z",
};

describe("one issue", () => {
  test("as the host answers", async () => {
    host.answerWith((_, response) => answerJson(response, sample("issue.json")));
    const reading = await issueHost.readIssue(repository, 17);
    expect(reading).toMatchObject({
      issue: { number: 17, kind: "issue", state: "closed", repository: { id: 12, owner: "acme", repo: "webshop" } },
      at: expect.stringMatching(/^\d{4}-.*\.000Z$/),
    });
    expect(host.requests.at(-1)?.path).toBe("repos/acme/webshop/issues/17");
  });

  test("a pull request is the same from each place that tells of it", () => {
    expect(readIssueFields(sample("issue-of-pull.json"))).toMatchObject(pull);
    expect(readPullFields(sample("pull.json"))).toMatchObject(pull);
    expect(readPullFields(sample("pull_request-merged.json").pull_request)).toMatchObject(pull);
  });

  test.each([403, 404])("is unreadable at %i, in both dialects", async (status) => {
    host.answerWith((_, response) => answerJson(response, sample("error-404-forgejo.json"), status));
    expect(await issueHost.readIssue(repository, 17)).toBe("unreadable");
    expect(await issueHost.listIssues(repository, { since })).toBe("unreadable");
    expect(await issueHost.probe(repository)).toBe("unreadable");
  });

  test.each([
    ["another issue", sample("issue-of-pull.json"), 200],
    ["null", null, 200],
    ["a list", [sample("issue.json")], 200],
    ["no title", { ...sample("issue.json"), title: null }, 200],
    ["a refused token", {}, 401],
    ["an error", {}, 500],
  ])("%s is no usable answer", async (_, body, status) => {
    host.answerWith((_, response) => answerJson(response, body, status));
    await expect(issueHost.readIssue(repository, 17)).rejects.toThrow(/git host/);
  });

  test("without what some versions leave out", () => {
    const { number, title, state, updated_at } = sample("issue.json");
    expect(readIssueFields({ number, title, state, updated_at, labels: null })).toMatchObject({
      labels: [],
      draft: false,
      repository: undefined,
    });
  });
});

test.each([
  ["2026-08-04T16:02:33+02:00", "2026-08-04T14:02:33.000Z"],
  ["2026-08-04T14:02:33Z", "2026-08-04T14:02:33.000Z"],
  ["0001-01-01T00:00:00Z", null],
  ["1970-01-01T00:00:00Z", null],
  ["2026-13-04T14:02:33Z", null],
  ["yesterday", null],
  [null, null],
])("the time %j is %j", (text, instant) => expect(readInstant(text)).toBe(instant));

test.each([
  null,
  {},
  { id: 0, full_name: "a/b" },
  { id: 1, full_name: "a" },
  { id: 1, full_name: "a/b/c" },
  { id: 1, full_name: "../b" },
  { id: "1", full_name: "a/b" },
])("%j is no repository", (value) => expect(readRepository(value)).toBeUndefined());

describe("a list", () => {
  const issues = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({ number: from + index, title: "x", state: "open" }));
  /** One answer a page; `totals` are sent unless undefined. */
  const answerPages = (pages: unknown[][], totals: (number | undefined)[] = [], firstAgain = pages[0]) => {
    const begin = host.requests.length;
    host.answerWith((path, response) => {
      const page = Number(/page=(\d+)/.exec(path)?.[1]);
      if (page === 1 && host.requests.length - begin > 1) return answerJson(response, firstAgain);
      const total = totals[page - 1];
      if (total !== undefined) response.setHeader("x-total-count", total);
      response.setHeader("link", '<https://elsewhere.example/?page=2>; rel="next"');
      return answerJson(response, pages[page - 1] ?? []);
    });
    return () => host.requests.length - begin;
  };
  const list = async () => {
    const listing = await issueHost.listIssues(repository, { since });
    return listing === "unreadable" ? listing : { count: listing.issues.size, isWhole: listing.isWhole };
  };

  test.each([
    ["none", [[]], [0], 1, { count: 0, isWhole: true }],
    ["one page", [issues(1, 20)], [20], 1, { count: 20, isWhole: true }],
    ["one page without a total", [issues(1, 20)], [], 3, { count: 20, isWhole: true }],
    ["full pages", [issues(1, 50), issues(51, 100)], [100, 100], 3, { count: 100, isWhole: true }],
    ["pages of 20", [issues(1, 20), issues(21, 40), issues(41, 45)], [45, 45, 45], 4, { count: 45, isWhole: true }],
    [
      "pages of 20, without totals",
      [issues(1, 20), issues(21, 40), issues(41, 45)],
      [],
      4,
      { count: 45, isWhole: true },
    ],
    ["what grows meanwhile", [issues(1, 50), issues(50, 60)], [60, 61], 3, { count: 60, isWhole: true }],
    ["what shrinks meanwhile", [issues(1, 50), issues(52, 60)], [60, 59], 3, { count: 59, isWhole: false }],
    ["less than was promised", [issues(1, 50), issues(52, 60)], [60, 60], 3, { count: 59, isWhole: false }],
    ["the first page for ever", [issues(1, 50), issues(1, 50), issues(1, 50)], [], 3, { count: 50, isWhole: true }],
  ])("of %s", async (_, pages, totals, requests, expected) => {
    const asked = answerPages(pages, totals);
    expect(await list()).toEqual(expected);
    expect(asked()).toBe(requests);
  });

  test.each([
    ["in its place, nor without totals", issues(2, 51), [], false],
    ["in its place", issues(2, 51), [60, 60], false],
    ["and is shorter", issues(1, 49), [60, 60], false],
    ["and is the same", issues(1, 50), [60, 60], true],
    ["and is the same, without totals", issues(1, 50), [], true],
  ])("whose first page is read again at its end %s", async (_, firstAgain, totals, isWhole) => {
    answerPages([issues(1, 50), issues(51, 60)], totals, firstAgain);
    expect(await list()).toEqual({ count: 60, isWhole });
  });

  test("of everything goes as far as it may, with no time to begin at", async () => {
    const asked = answerPages([issues(1, 50), issues(51, 100), issues(101, 150)], [150, 150, 150]);
    const listing = await issueHost.listIssues(repository, { maxPages: 2 });
    expect([listing !== "unreadable" && listing.issues.size, asked()]).toEqual([100, 2]);
    expect(host.requests.at(-1)?.path).toBe("repos/acme/webshop/issues?state=all&limit=50&page=2");
  });

  test.each([[{}], [[{}]], ["x"]])("of %j is no usable answer; null is an empty one", async (body) => {
    host.answerWith((_, response) => answerJson(response, body));
    await expect(list()).rejects.toThrow(/git host/);
    host.answerWith((_, response) => answerJson(response, null));
    expect(await list()).toEqual({ count: 0, isWhole: true });
  });

  test("cut off on its second page is none", async () => {
    host.answerWith((path, response) => {
      if (/page=1$/.test(path)) return answerJson(response, issues(1, 50));
      response.end('[{"number":51,');
      return true;
    });
    await expect(list()).rejects.toThrow(/cut off/);
  });
});
