// Issues and pull requests from files (shared/git-host/CONTRACT.md 3): what a file may say, lists and pages of them, what changes are told.
import { execFileSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type GitIssue, readIssue } from "./git-issue.ts";
import { issueChanges } from "./git-issue-changes.ts";
import { age, type GitHostFixture, startFixture } from "./test/git-host-fixture.ts";

const at = "updated_at: 2026-08-04T10:00:00Z\n";
const issues = "acme/webshop/issues";
let fixture: GitHostFixture;
beforeAll(async () => {
  fixture = await startFixture({
    files: {
      "acme/webshop/README.md": "# Shop\n",
      "acme/webshop/docs/issues/1.md": "not an issue\n",
      [`${issues}/2.yml`]: `title: Two\n${at}labels: [bug, ui]\nbody: <b>Bold</b>\n`,
      [`${issues}/3.yml`]: "title: Three\nstate: closed\nupdated_at: 2026-08-04T13:30:00.9+02:00\nlabels: [bug]\n",
      [`${issues}/4.yml`]: "title: Four\nkind: pull_request\ndraft: true\n",
      [`${issues}/10.yml`]: "title: Ten\nkind: pull_request\nstate: merged\nupdated_at: 2026-08-04T12:00:00Z\n",
      "acme/many/README.md": "# Many\n",
      "acme/issues-only/issues/1.yml": "title: One\n",
      ...Object.fromEntries(Array.from({ length: 55 }, (_, n) => [`acme/many/issues/${n + 1}.yml`, `title: N\n${at}`])),
    },
  });
  await age(fixture, `${issues}/4.yml`, "2026-08-04T09:00:00.700Z");
});
afterAll(() => fixture.stop());

const repo = "/repos/acme/webshop";
const numbers = async (path: string): Promise<number[]> =>
  ((await fixture.get(path)).body as { number: number }[]).map(({ number }) => number);

describe("a file", () => {
  test("says what it must and may; the rest is assumed", async () => {
    expect((await fixture.get(`${repo}/issues/4`)).body).toMatchObject({
      number: 4,
      title: "Four",
      state: "open",
      body: "",
      labels: [],
      updated_at: "2026-08-04T09:00:00Z",
      closed_at: null,
      html_url: `${fixture.host.url}/acme/webshop/pulls/4`,
      pull_request: { draft: true, merged: false, merged_at: null },
    });
    expect((await fixture.get(`${repo}/issues/3`)).body).toMatchObject({
      state: "closed",
      updated_at: "2026-08-04T11:30:00Z",
      closed_at: "2026-08-04T11:30:00Z",
      pull_request: null,
    });
    expect((await fixture.get(`${repo}/pulls/10`)).body).toMatchObject({ state: "closed", merged: true, draft: false });
  });

  test.each([
    ["nothing", "", /empty/],
    ["a list", "- title: x", /no `title/],
    ["no title", "body: x", /`title` must be/],
    ["a blank title", "title: ' '", /`title` must be/],
    ["an unknown key", "title: x\ntilte: y", /`tilte` is not among/],
    ["a key of every object", "title: x\nconstructor: y", /`constructor` is not among/],
    ["an unknown state", "title: x\nstate: done", /`state` must be open or closed or merged/],
    ["a merged issue", "title: x\nstate: merged", /pull_request/],
    ["a draft issue", "title: x\ndraft: true", /pull_request/],
    ["one label only", "title: x\nlabels: bug", /`labels` must be/],
    ["a date alone", "title: x\nupdated_at: 2026-08-04", /`updated_at` must be/],
    ["a date that is none", "title: x\nupdated_at: 2026-13-04T00:00:00Z", /`updated_at` must be/],
    ["a year after 9999", "title: x\nupdated_at: 9999-12-31T23:59:59-00:01", /`updated_at` must be/],
    ["a year before 0000", "title: x\nupdated_at: 0000-01-01T00:00:00+00:01", /`updated_at` must be/],
    ["broken YAML", "title: [", /./],
    ["an alias", "title: &a x\nbody: *a", /./],
  ])("with %s is refused", (_, yaml, reason) => {
    expect(() => readIssue(1, yaml, new Date(0))).toThrow(reason);
  });

  test("that is odd is left out, told once, and spoils nothing", async () => {
    const odd = await startFixture({
      files: {
        "acme/shop/README.md": "x",
        "acme/shop/issues/1.yml": "title: fine\n",
        "acme/shop/issues/2.yml": "title: [\n",
        "acme/shop/issues/003.yml": "title: three\n",
        "acme/shop/issues/4.yml/inside.yml": "title: a folder\n",
        "acme/shop/issues/.5.yml.swp": "an editor's\n",
      },
    });
    const list = async () => (await odd.get("/repos/acme/shop/issues")).body;
    for (const _ of [1, 2]) expect(await list()).toMatchObject([{ number: 1 }]);
    expect(odd.complaints.map((line) => /issues\/(\S+?):? is not/.exec(line)?.[1] ?? line).sort()).toEqual([
      "003.yml",
      "2.yml",
      "4.yml",
    ]);
    // What was once good stays while somebody is in the middle of a change.
    await odd.write("acme/shop/issues/1.yml", "title: [\n");
    expect(await list()).toMatchObject([{ number: 1, title: "fine" }]);
    await odd.write("acme/shop/issues/1.yml", "title: better\n");
    expect(await list()).toMatchObject([{ number: 1, title: "better" }]);
    await odd.stop();
  });
});

test("What is no regular file is never read: it could have no end, or keep the host waiting for ever", async () => {
  const odd = await startFixture({ files: { "acme/shop/README.md": "x", "acme/shop/issues/1.yml": "title: fine\n" } });
  const at = (name: string): string => join(odd.reposDir, "acme/shop/issues", name);
  execFileSync("mkfifo", [at("2.yml"), join(odd.reposDir, "acme/shop/pipe")]);
  await symlink("/dev/null", at("3.yml"));
  await symlink("1.yml", at("4.yml"));
  const { body } = await odd.get("/repos/acme/shop/issues");
  expect(body).toMatchObject([{ number: 4 }, { number: 1 }]);
  expect((await odd.get("/repos/acme/shop/contents")).body).toMatchObject([{ name: "README.md" }]);
  expect(odd.complaints.sort()).toEqual(
    ["2.yml", "3.yml"].map((name) => `git host: ${at(name)} is not taken over: it is not a regular file`),
  );
  await odd.stop();
});

test("The last change of a file is printed only in years that RFC 3339 has", () => {
  const changed = (time: string) => () => readIssue(1, "title: x", new Date(time)).updated_at;
  expect(changed("9999-12-31T23:59:59.999Z")()).toBe("9999-12-31T23:59:59Z");
  expect(changed("0000-01-01T00:00:00Z")()).toBe("0000-01-01T00:00:00Z");
  for (const time of ["+010000-01-01T00:00:00Z", "-000001-12-31T23:59:59Z", "none"])
    expect(changed(time)).toThrow("years 0000 to 9999");
});

test("Issues are no part of the repository's content", async () => {
  expect((await fixture.get(`${repo}/contents?ref=main`)).body).toMatchObject([
    { name: "README.md" },
    { name: "docs" },
  ]);
  expect((await fixture.get(`${repo}/contents/issues`)).status).toBe(404);
  expect((await fixture.get(`${repo}/contents/docs/issues/1.md`)).status).toBe(200);
  expect((await fixture.get("/repos/acme/issues-only/commits?limit=1")).status).toBe(409);
  expect(await numbers("/repos/acme/issues-only/issues")).toEqual([1]);
  expect((await fixture.get(repo)).body).toMatchObject({ open_issues_count: 1, open_pr_counter: 1 });
});

describe("a list", () => {
  test.each([
    ["", [4, 2]],
    ["?state=all", [10, 4, 3, 2]],
    ["?state=closed", [10, 3]],
    ["?state=nonsense", [4, 2]],
    ["?state=all&type=issues", [3, 2]],
    ["?state=all&type=pulls", [10, 4]],
    ["?state=all&since=2026-08-04T11:30:00Z", [10, 3]],
    ["?state=all&since=2026-08-04T13:30:01%2B02:00", [10]],
    ["?state=all&before=2026-08-04T10:00:00Z", [4, 2]],
    ["?state=all&labels=bug", [3, 2]],
    ["?state=all&labels=bug,ui", [2]],
    ["?state=all&limit=3&page=2", [2]],
    ["?state=all&limit=3&page=3", []],
    ["?state=all&limit=0&page=-1", [10, 4, 3, 2]],
  ])("issues%s holds %j", async (query, expected) => {
    expect(await numbers(`${repo}/issues${query}`)).toEqual(expected);
  });

  test("of pull requests holds no issue and knows no time", async () => {
    expect(await numbers(`${repo}/pulls?state=all&since=2027-01-01T00:00:00Z`)).toEqual([10, 4]);
    expect(await numbers(`${repo}/pulls`)).toEqual([4]);
    expect((await fixture.get(`${repo}/pulls/2`)).status).toBe(404);
  });

  test.each(["since=yesterday", "before=2026-08-04", "since=2026-08-04T11:30:00+02:00"])(
    "with %s is 422",
    async (bad) => {
      expect(await fixture.get(`${repo}/issues?${bad}`)).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining("parsing time"), url: `${fixture.host.url}/api/swagger` },
      });
    },
  );

  test("has pages of 30, of 50 at most, and says how many there are and where", async () => {
    const many = "/repos/acme/many/issues";
    const address = `${fixture.host.url}/api/v1${many}`;
    const first = await fixture.get(`${many}?state=all`);
    expect(first.body).toHaveLength(30);
    expect(first.headers.get("x-total-count")).toBe("55");
    expect(first.headers.get("link")).toBe(
      `<${address}?state=all&page=2>; rel="next",<${address}?state=all&page=2>; rel="last"`,
    );
    expect(await numbers(`${many}?limit=1000`)).toHaveLength(50);
    const last = await fixture.get(`${many}?limit=1000&page=2`);
    expect(last.body).toHaveLength(5);
    expect(last.headers.get("link")).toContain('page=1>; rel="first"');
    expect((await fixture.get(`${repo}/issues`)).headers.get("link")).toBeNull();
  });
});

test("Links lead to pages that show text as text, from the repository's page on", async () => {
  const page = async (path: string) => (await fetch(`${fixture.host.url}${path}`)).text();
  const overview = await page("/acme/webshop");
  for (const path of ["issues/2", "issues/3", "pulls/4", "pulls/10"]) {
    expect(overview).toContain(`href="/acme/webshop/${path}"`);
    expect((await fetch(`${fixture.host.url}/acme/webshop/${path}`)).status).toBe(200);
  }
  expect(await page("/acme/webshop/issues/2")).toMatch(/#2 Two.*open issue.*bug.*&#60;b&#62;Bold/s);
  expect(await page("/acme/webshop/pulls/4")).toContain("open draft pull request");
  expect((await fetch(`${fixture.host.url}/acme/webshop/issues/99`)).status).toBe(404);
});

const issue = (change: Partial<GitIssue> = {}): GitIssue => ({
  ...{ number: 7, kind: "issue", title: "T", state: "open", draft: false, labels: [], body: "" },
  ...{ updated_at: "2026-08-04T10:00:00Z" },
  ...change,
});
const actions = (before: GitIssue | undefined, after: GitIssue | undefined): string[] =>
  issueChanges(before ? [before] : [], after ? [after] : []).map(({ action }) => action);

test.each<[string, GitIssue | undefined, GitIssue | undefined, string[]]>([
  ["nothing", issue(), issue(), []],
  ["only its time", issue(), issue({ updated_at: "2026-08-05T10:00:00Z" }), []],
  ["a new one", undefined, issue(), ["opened"]],
  ["a new closed one", undefined, issue({ state: "closed" }), ["opened", "closed"]],
  ["closing", issue(), issue({ state: "closed" }), ["closed"]],
  ["opening again", issue({ state: "closed" }), issue(), ["reopened"]],
  ["merging", issue({ kind: "pull_request" }), issue({ kind: "pull_request", state: "merged" }), ["closed"]],
  ["its draft", issue({ kind: "pull_request", draft: true }), issue({ kind: "pull_request" }), ["edited"]],
  ["the order of labels", issue({ labels: ["a", "b"] }), issue({ labels: ["b", "a"] }), []],
  ["its removal", issue(), undefined, ["deleted"]],
  ["its kind", issue(), issue({ kind: "pull_request" }), ["deleted", "opened"]],
  [
    "everything at once",
    issue(),
    issue({ title: "U", body: "V", labels: ["a"], state: "closed" }),
    ["edited", "edited", "label_updated", "closed"],
  ],
])("A change of %s", (_, before, after, expected) => {
  expect(actions(before, after)).toEqual(expected);
});

test("What changes is told in order, each with what it is now", async () => {
  const hooked = await startFixture({
    isHooked: true,
    files: { "acme/webshop/README.md": "#", [`${issues}/1.yml`]: "title: One\n" },
  });
  await hooked.write(`${issues}/1.yml`, `title: Uno\nstate: closed\nlabels: [bug]\n${at}`);
  const told = await hooked.delivered(3);
  expect(
    told.map(({ payload, headers }) => [payload["action"], headers["x-gitea-event"], headers["x-gitea-event-type"]]),
  ).toEqual([
    ["edited", "issues", "issues"],
    ["label_updated", "issues", "issue_label"],
    ["closed", "issues", "issues"],
  ]);
  expect(told[0]?.payload).toMatchObject({ number: 1, changes: { title: { from: "One" } } });
  for (const { payload } of told)
    expect(payload["issue"]).toMatchObject({ title: "Uno", state: "closed", updated_at: "2026-08-04T10:00:00Z" });
  await hooked.write(`${issues}/1.yml`, "title: Uno\nlabels: [\n");
  await vi.waitFor(() => expect(hooked.complaints).toHaveLength(1), { timeout: 5000 });
  await hooked.write(`${issues}/1.yml`, undefined);
  await hooked.write(`${issues}/2.yml`, "title: PR\nkind: pull_request\ndraft: true\n");
  const [, , , deleted, opened] = await hooked.delivered(5);
  expect(deleted?.payload).toMatchObject({ action: "deleted", issue: { number: 1, title: "Uno" } });
  expect(opened?.payload).toMatchObject({ action: "opened", pull_request: { number: 2, draft: true, state: "open" } });
  await hooked.write(`${issues}/2.yml`, "title: PR\nkind: pull_request\nlabels: [x]\n");
  const [ready, labelled] = (await hooked.delivered(7)).slice(5);
  expect(ready?.payload).toMatchObject({ action: "edited", changes: { title: {} }, pull_request: { draft: false } });
  expect(labelled?.headers["x-gitea-event-type"]).toBe("pull_request_label");
  await hooked.stop();
});
