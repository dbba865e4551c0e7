// The development git host against messages of Gitea and Forgejo (shared/git-host): the same fields, in the same order, of the same types.
import { createHmac } from "node:crypto";
import { readFile, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type GitHostFixture, startFixture } from "./test/git-host-fixture.ts";

const sample = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(join(import.meta.dirname, "test/git-host-samples", `${name}.json`), "utf8"));

/** One line per field: its path, and what kind of value stands there. */
const shapeOf = (value: unknown, path = ""): string[] => {
  if (Array.isArray(value)) return [`${path}[]`, ...shapeOf(value[0] ?? null, `${path}[0]`)];
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => shapeOf(inner, `${path}.${key}`));
  return [`${path}: ${value === null ? "null" : kindOf(value)}`];
};

const kindOf = (value: unknown): string => {
  const text = typeof value === "string" ? value : "";
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return "time";
  return /^[0-9a-f]{40}$/.test(text) ? "sha" : typeof value;
};

const issue = "title: Cart total is NaN\nlabels: [kind/bug]\nbody: |\n  Steps\n";
const pull = "title: Start at zero\nkind: pull_request\nlabels: [kind/bug]\nbody: 'Closes #17'\n";
const webshop = "acme/webshop/issues";

let fixture: GitHostFixture;
beforeEach(async () => {
  fixture = await startFixture({
    isHooked: true,
    files: {
      "acme/webshop/README.md": "# Shop\n",
      [`${webshop}/17.yml`]: `${issue}state: closed\n`,
      [`${webshop}/18.yml`]: `${pull}state: merged\n`,
      "acme/acme-agents/personas/code-reviewer.md": "---\nname: naïve\n---\n",
      "acme/acme-agents/personas/release-manager.md": "new\n",
    },
  });
});
afterEach(() => fixture.stop());

test.each([
  ["issue", "/repos/acme/webshop/issues/17"],
  ["issue-of-pull", "/repos/acme/webshop/issues/18"],
  ["pull", "/repos/acme/webshop/pulls/18"],
  ["contents-dir", "/repos/acme/acme-agents/contents/personas?ref=main"],
  ["contents-file", "/repos/acme/acme-agents/contents/personas/code-reviewer.md?ref=main"],
  ["error-404", "/repos/acme/nope"],
])("%s is what %s is", async (name, path) => {
  const { body, headers } = await fixture.get(path);
  expect(headers.get("content-type")).toBe("application/json;charset=utf-8");
  expect(shapeOf(body)).toEqual(shapeOf(await sample(name)));
});

test("A link and a folder in a listing are what they are in contents-dir-mixed", async () => {
  await fixture.write("acme/acme-agents/personas/archive/old.md", "old");
  await symlink("code-reviewer.md", join(fixture.reposDir, "acme/acme-agents/personas/alias.md"));
  const { body } = await fixture.get("/repos/acme/acme-agents/contents/personas?ref=main");
  const mixed = (await sample("contents-dir-mixed")) as { type: string }[];
  for (const type of ["symlink", "dir"]) {
    const ours = (body as typeof mixed).find((entry) => entry.type === type);
    expect(shapeOf(ours)).toEqual(shapeOf(mixed.find((entry) => entry.type === type)));
  }
});

test("error-404-forgejo is what Forgejo answers for a missing path", async () => {
  const forgejo = await startFixture({ dialect: "forgejo", files: { "acme/webshop/README.md": "# Shop\n" } });
  const { body } = await forgejo.get("/repos/acme/webshop/contents/personas");
  await forgejo.stop();
  const expected = (await sample("error-404-forgejo")) as { message: string };
  expect(body).toMatchObject({
    message: expected.message,
    errors: ["object does not exist [id: , rel_path: personas]"],
  });
  expect(shapeOf(body)).toEqual(shapeOf(expected));
});

const happenings: [string, string, () => Promise<void>][] = [
  [
    "push",
    "A push",
    // In one stroke, so that it is one push: one file goes, another changes.
    () => {
      const personas = join(fixture.reposDir, "acme/acme-agents/personas");
      return rename(join(personas, "release-manager.md"), join(personas, "code-reviewer.md"));
    },
  ],
  ["issues-opened", "A new issue", () => fixture.write(`${webshop}/19.yml`, issue)],
  ["issues-closed", "An issue that is closed", () => fixture.write(`${webshop}/20.yml`, `${issue}state: closed\n`)],
  ["pull_request-opened", "A new pull request", () => fixture.write(`${webshop}/21.yml`, pull)],
  ["pull_request-merged", "A merged one", () => fixture.write(`${webshop}/22.yml`, `${pull}state: merged\n`)],
];

test.each(happenings)("%s: %s is told in the same fields, with the same headers, signed", async (name, _, happen) => {
  // A closed one has been opened before, which is told first.
  const isEnd = name.endsWith("closed") || name.endsWith("merged");
  if (isEnd) {
    await fixture.write(`${webshop}/20.yml`, issue);
    await fixture.write(`${webshop}/22.yml`, pull);
    await fixture.delivered(2);
    fixture.deliveries.length = 0;
  }
  await happen();
  const [{ headers, body, payload } = { headers: {}, body: "", payload: {} }] = await fixture.delivered(1);
  const expected = (await sample(name)) as {
    action?: string;
    commit_id?: string;
    commits?: object[];
    head_commit?: object;
  };
  // The sample adds a file; ours removes one.
  for (const commit of [expected.commits?.[0], expected.head_commit])
    if (commit) Object.assign(commit, { added: [], removed: ["personas/release-manager.md"] });
  // The sample was closed by a merge; ours by hand.
  if (name === "issues-closed") expected.commit_id = "";
  expect(payload["action"]).toBe(expected.action);
  expect(shapeOf(payload)).toEqual(shapeOf(expected));
  expect(body).toBe(JSON.stringify(payload, null, 2));

  const { secret, deliveries } = (await sample("headers")) as {
    secret: string;
    deliveries: Record<string, Record<string, string>>;
  };
  const theirs = deliveries[`${name}.json`] ?? {};
  const http = ["host", "connection", "user-agent", "accept-encoding"];
  const names = Object.keys(headers).filter((one) => !http.includes(one));
  expect(names.sort()).toEqual(
    Object.keys(theirs)
      .map((one) => one.toLowerCase())
      .sort(),
  );
  for (const [key, value] of Object.entries(theirs).filter(([one]) => /-(?:Event|Event-Type|Target-Type)$/.test(one)))
    expect([key, headers[key.toLowerCase()]]).toEqual([key, value]);
  const digest = (algorithm: string) => createHmac(algorithm, secret).update(body).digest("hex");
  expect(headers).toMatchObject({
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": "Go-http-client/1.1",
    "accept-encoding": "gzip",
    "x-gitea-signature": digest("sha256"),
    "x-gogs-signature": digest("sha256"),
    "x-hub-signature": `sha1=${digest("sha1")}`,
    "x-hub-signature-256": `sha256=${digest("sha256")}`,
  });
  const ids = ["x-gitea-delivery", "x-gogs-delivery", "x-github-delivery"].map((key) => headers[key]);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
