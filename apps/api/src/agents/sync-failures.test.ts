// Synchronization on a git host's bad days (D-30, D-31): what is not certain changes nothing.
import type { Sync } from "@task-service/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newSlug, personaFile } from "../../test/factories.ts";
import { answerJson, type Script, type ScriptedGitHost, startScriptedGitHost } from "../../test/scripted-git-host.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

const timeoutMs = 300;
const files = { "personas/developer.md": personaFile("developer"), "personas/reviewer.md": personaFile("reviewer") };

let gitHost: ScriptedGitHost;
let elsewhere: ScriptedGitHost;
let app: TestApp;
beforeAll(async () => {
  [gitHost, elsewhere] = await Promise.all([startScriptedGitHost(), startScriptedGitHost()]);
  app = await startTestApp({ env: { GIT_URL: gitHost.url, GIT_READ_TOKEN: "read-token" }, gitHost: { timeoutMs } });
});
afterEach(() => {
  gitHost.answerWith(() => false);
  gitHost.requests.length = 0;
});
afterAll(async () => {
  await app.close();
  await Promise.all([gitHost.stop(), elsewhere.stop()]);
});

const sync = (organization: string): Promise<Sync> => app.client.syncOrganization({ params: { organization } });
const types = async (organization: string) =>
  (await app.client.listAgentTypes({ query: { organization } })).items.map(({ slug, name, is_active }) => [
    slug,
    name,
    is_active,
  ]);
const bothActive = [
  ["developer", "developer", true],
  ["reviewer", "reviewer", true],
];

/** An organization whose personas were read once, and whose repository has changed since. */
const startFleet = async (): Promise<string> => {
  const slug = newSlug();
  gitHost.serve(files);
  await app.client.createOrganization({ body: { slug } });
  await sync(slug);
  gitHost.serve({ "personas/developer.md": personaFile("Dev") });
  gitHost.requests.length = 0;
  return slug;
};

const status =
  (code: number, body: unknown = { message: "no" }): Script =>
  (_, response) =>
    answerJson(response, body, code);
const when =
  (pattern: RegExp, script: Script): Script =>
  (path, ...rest) =>
    pattern.test(path) && script(path, ...rest);
const text =
  (body: string): Script =>
  (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(body);
    return true;
  };
const file = (change: object): Script =>
  when(/developer\.md/, (_, response) => {
    const content = personaFile("Dev");
    const honest = { type: "file", encoding: "base64", size: Buffer.byteLength(content), sha: "0".repeat(40) };
    return answerJson(response, { ...honest, content: Buffer.from(content).toString("base64"), ...change });
  });
const cutOff: Script = (_, response) => {
  response.writeHead(200, { "content-length": "1000" }).write('[{"sha":');
  setImmediate(() => response.destroy());
  return true;
};
const redirectTo =
  (location: string): Script =>
  (_, response) => {
    response.writeHead(301, { location }).end();
    return true;
  };

describe("a git host that", () => {
  test.each<[string, Script, RegExp]>([
    ["refuses the token", status(401), /read token \(401\)/],
    ["forbids", status(403), /\(403\)/],
    ["has a fault of its own", status(500), /answered 500/],
    ["is overloaded", status(503), /answered 503/],
    ["asks for fewer requests", status(429), /\(429\)/],
    [
      "knows no repository, and refuses the token too",
      (path, response) => answerJson(response, {}, path === "version" ? 401 : 404),
      /\(401\)/,
    ],
    [
      "knows no repository, and is not asked who it is",
      (path, response) => answerJson(response, {}, path === "version" ? 502 : 404),
      /answered 502/,
    ],
    ["never answers", () => true, /within 0.3 s/],
    ["begins and never ends", (_, response) => Boolean(response.writeHead(200).write("[")), /within 0.3 s/],
    ["hangs up", (_, response) => Boolean(response.destroy()), /cannot be reached/],
    ["is cut off", cutOff, /cannot be reached/],
    ["answers half a document", text('[{"sha":"'), /not JSON/],
    ["answers a page", text("<html>"), /not JSON/],
    ["names no commit", text('[{"sha":"main"}]'), /names no commit/],
    ["answers something else than commits", text('{"sha":"x"}'), /names no commit/],
    ["has a broken listing", when(/contents\/personas\?/, status(500)), /answered 500/],
    ["lists half", when(/contents\/personas\?/, text('[{"name":"developer.md"')), /not JSON/],
    ["lists something else", when(/contents\/personas\?/, text('[{"name":"developer.md"}]')), /listing/],
    [
      "loses the repository while it is read",
      (path, response) => !path.includes("/commits?") && answerJson(response, {}, 404),
      /\(404\)/,
    ],
    ["loses the commit while it is read", when(/\/contents/, status(404)), /\(404\)/],
    ["denies a folder that it lists", when(/contents\/personas\?/, status(404)), /lists personas, yet/],
    ["has no commit to tell", text("[]"), /names no commit/],
    ["has personas as a file", when(/contents\/personas\?/, text('{"type":"file"}')), /listing/],
    ["lists a file it does not have", when(/developer\.md/, status(404)), /\(404\)/],
    ["gives an empty file where there is more", file({ content: "" }), /not the whole file/],
    ["cuts the base64 short", file({ content: "LS0tCm5hbWU" }), /not the whole file/],
    ["gives another blob than it says", file({}), /not the whole file/],
    ["says a file is larger than it is", file({ size: 9999 }), /not the whole file/],
    ["leaves the content out", file({ encoding: null, content: null }), /not a file's content/],
    ["gives a link", file({ type: "symlink", content: null, target: "/etc/passwd" }), /not a file's content/],
    ["redirects in circles", redirectTo("/api/v1/loop"), /redirects too often/],
    ["redirects out of its API", redirectTo("/admin"), /does not follow/],
    ["redirects nowhere", redirectTo("http://["), /does not follow/],
  ])("%s: failed, and nothing changes", async (_, script, message) => {
    const slug = await startFleet();
    gitHost.answerWith(script);
    expect(await sync(slug)).toMatchObject({ status: "failed", commit: null, message: expect.stringMatching(message) });
    expect(await types(slug)).toEqual(bothActive);
    gitHost.answerWith(() => false);
    expect(await sync(slug)).toMatchObject({ status: "ok", message: null });
    expect(await types(slug)).toEqual([
      ["developer", "Dev", true],
      ["reviewer", "reviewer", false],
    ]);
  });

  test("redirects to another origin is not followed, and the token goes nowhere", async () => {
    const slug = await startFleet();
    gitHost.answerWith((path, response, request) =>
      redirectTo(`${elsewhere.url}/api/v1/${path}`)(path, response, request),
    );
    expect(await sync(slug)).toMatchObject({ status: "failed", message: expect.stringContaining("another place") });
    expect(elsewhere.requests).toEqual([]);
  });

  test("redirects within its API, as for a renamed repository, is followed with the token", async () => {
    const slug = await startFleet();
    gitHost.answerWith((path, response, request) => {
      const renamed = path.replace(`repos/${slug}/`, "repos/renamed/");
      return path !== renamed && redirectTo(`/api/v1/${renamed}`)(path, response, request);
    });
    expect(await sync(slug)).toMatchObject({ status: "ok" });
    const followed = gitHost.requests.filter(({ path }) => path.startsWith("repos/renamed/"));
    expect(followed.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill("token read-token"));
  });

  test("cannot be reached at all: failed", async () => {
    const away = await startScriptedGitHost();
    await away.stop();
    const lonely = await startTestApp({ env: { GIT_URL: away.url } });
    try {
      await lonely.client.createOrganization({ body: { slug: "acme" } });
      const found = await lonely.client.syncOrganization({ params: { organization: "acme" } });
      expect(found).toMatchObject({ status: "failed", message: "The git host cannot be reached." });
    } finally {
      await lonely.close();
    }
  });
});

describe("what is read", () => {
  test("is the head, the listing and the changed files alone, all at one commit", async () => {
    const slug = await startFleet();
    gitHost.serve({ ...files, "personas/reviewer.md": personaFile("Rev"), "README.md": "x" });
    await sync(slug);
    const paths = gitHost.requests.map(({ path }) => path.replace(`repos/${slug}/${slug}-agents/`, ""));
    const [head, listing, ...contents] = paths;
    expect(head).toMatch(/^commits\?limit=1/);
    const [, commit] = /^contents\/personas\?ref=([0-9a-f]{40})$/.exec(listing ?? "") ?? [];
    expect(contents).toEqual([`contents/personas/reviewer.md?ref=${commit}`]);
    gitHost.requests.length = 0;
    await sync(slug);
    expect(gitHost.requests).toHaveLength(1);
  });

  test("only 500 personas: the rest is refused by name", async () => {
    const slug = newSlug();
    await app.client.createOrganization({ body: { slug } });
    const names = Array.from({ length: 502 }, (_, n) => `personas/p${String(n).padStart(3, "0")}.md`);
    gitHost.serve(Object.fromEntries(names.map((name) => [name, personaFile("p")])));
    const { status: outcome, errors } = await sync(slug);
    expect([outcome, errors.map(({ path }) => path)]).toEqual(["partial", names.slice(500)]);
  });
});
