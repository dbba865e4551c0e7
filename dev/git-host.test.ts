// The development git host against facts: ids pinned from git itself, fields pinned from Gitea's samples (shared/git-host).
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type GitHost, startGitHost } from "./git-host.ts";

interface Delivery {
  headers: IncomingHttpHeaders;
  body: string;
}

let reposDir = "";
let repository = "";
let host: GitHost;
let receiver: Server;
let delivered = Promise.withResolvers<Delivery>();

beforeEach(async () => {
  reposDir = await mkdtemp(join(tmpdir(), "repos-"));
  repository = join(reposDir, "acme", "acme-agents");
  await mkdir(join(repository, "personas", "archive"), { recursive: true });
  await mkdir(join(reposDir, "acme", "empty"));
  const files = {
    "README.md": "# Agents\n",
    "personas.md": "x",
    "personas/dev.md": "naïve\n",
    "personas/run.sh": "#!/bin/sh\n",
  };
  for (const [path, content] of Object.entries(files)) await writeFile(join(repository, path), content);
  await chmod(join(repository, "personas", "run.sh"), 0o755);
  await symlink("dev.md", join(repository, "personas", "alias.md"));
  delivered = Promise.withResolvers();
  receiver = createServer(async (request, response) => {
    const delivery = { headers: request.headers, body: await text(request) };
    response.writeHead(202).end();
    delivered.resolve(delivery);
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const { port } = receiver.address() as AddressInfo;
  const webhook = { url: `http://127.0.0.1:${port}/webhooks/git`, secret: "secret" };
  host = await startGitHost({ host: "127.0.0.1", port: 0, reposDir, readToken: "read", webhook });
});

afterEach(async () => {
  await host.stop();
  receiver.closeAllConnections();
  receiver.close();
  await rm(reposDir, { recursive: true });
});

const get = async (path: string, authorization = "token read") => {
  const response = await fetch(`${host.url}/api/v1${path}`, { headers: authorization ? { authorization } : {} });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

const repo = "/repos/acme/acme-agents";
// `git write-tree` and `git commit-tree` over the same files gave these.
const treeSha = "f1b302a81d80ef9347c7905caf37681c16d7ef02";
const commitSha = "0bd9da2d3f48c42350cedf11e7df82cde07346ec";

test("Blob, tree and commit ids are git's own", async () => {
  const { body: commits } = await get(`${repo}/commits?limit=1&stat=false`);
  expect(commits).toMatchObject([{ sha: commitSha, commit: { tree: { sha: treeSha } } }]);
  expect((await get(`${repo}/branches/main`)).body).toMatchObject({ name: "main", commit: { id: commitSha } });
  const { body } = await get(`${repo}/contents/personas/?ref=main`);
  expect(body).toMatchObject([
    { name: "alias.md", type: "symlink", target: "dev.md", size: 6, sha: "4982d32787e1c33dd924f5a2bbde7eaa116071d8" },
    { name: "dev.md", type: "file", target: null, size: 7, sha: "2121a447b06ff7d100f0fa67b7d20973836ccde9" },
    { name: "run.sh", type: "file", size: 10 },
  ]);
  const { body: root } = await get(`${repo}/contents`);
  expect(root).toMatchObject([{ name: "README.md" }, { name: "personas.md" }, { name: "personas", type: "dir" }]);
});

const entryFields =
  "name path sha last_commit_sha last_committer_date last_author_date type size encoding content target url html_url git_url download_url submodule_git_url _links";

test("A listing has no contents, a file has its own in base64, with Gitea's fields in Gitea's order", async () => {
  const { body: listing } = await get(`${repo}/contents/personas`);
  const entry = (listing as object[])[1] ?? {};
  expect(Object.keys(entry).join(" ")).toBe(entryFields);
  expect(entry).toMatchObject({ encoding: null, content: null });
  const { body, headers } = await get(`/repos/ACME/Acme-Agents/contents/personas%2Fdev.md?ref=main`);
  expect(headers.get("content-type")).toBe("application/json;charset=utf-8");
  expect(Object.keys(body as object).join(" ")).toBe(entryFields);
  const at = "acme/acme-agents";
  expect(body).toMatchObject({
    path: "personas/dev.md",
    encoding: "base64",
    content: Buffer.from("naïve\n").toString("base64"),
    url: `${host.url}/api/v1/repos/${at}/contents/personas/dev.md?ref=main`,
    html_url: `${host.url}/${at}/src/branch/main/personas/dev.md`,
    _links: { html: `${host.url}/${at}/src/branch/main/personas/dev.md` },
  });
});

test("A repository is described with its stored names", async () => {
  const { body } = await get("/repos/ACME/ACME-agents");
  expect(body).toMatchObject({
    full_name: "acme/acme-agents",
    owner: { login: "acme" },
    default_branch: "main",
    empty: false,
    archived: false,
    html_url: `${host.url}/acme/acme-agents`,
  });
});

test.each([
  ["/repos/acme/nope", 404],
  ["/repos/nope/acme-agents/contents/personas", 404],
  [`${repo}/contents/nope`, 404],
  [`${repo}/contents/personas?ref=develop`, 404],
  [`${repo}/contents/personas?ref=${commitSha.slice(0, 10)}`, 404],
  [`${repo}/contents/personas?ref=${"0".repeat(40)}`, 404],
  [`${repo}/contents/.git/config`, 400],
  [`${repo}/branches/develop`, 404],
  [`${repo}/issues/1`, 404],
  ["/repos/acme/empty/contents/personas", 404],
  ["/repos/acme/empty/branches/main", 404],
  ["/repos/acme/empty/commits?limit=1", 409],
])("%s is %i", async (path, status) => {
  const answer = await get(path);
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({ message: expect.any(String), url: `${host.url}/api/swagger` });
});

test("A wrong token is refused everywhere; without one there is only the version", async () => {
  expect((await get("/version", "Bearer read")).body).toEqual({ version: "1.27.1" });
  for (const path of ["/version", repo, "/repos/acme/nope"]) expect((await get(path, "token wrong")).status).toBe(401);
  expect((await get("/version", "")).status).toBe(200);
  expect((await get(repo, "")).status).toBe(404);
});

test("A commit stays what it was while the files change", async () => {
  await get(`${repo}/branches/main`);
  await writeFile(join(repository, "personas", "dev.md"), "changed\n");
  await rm(join(repository, "personas", "run.sh"));
  const { body: now } = await get(`${repo}/branches/main`);
  expect(now).not.toMatchObject({ commit: { id: commitSha } });
  const { body: then } = await get(`${repo}/contents/personas?ref=${commitSha}`);
  expect(then).toMatchObject([
    { name: "alias.md" },
    { name: "dev.md", sha: "2121a447b06ff7d100f0fa67b7d20973836ccde9" },
    { name: "run.sh" },
  ]);
  const { body: file } = await get(`${repo}/contents/personas/dev.md?ref=${commitSha}`);
  expect(file).toMatchObject({
    size: 7,
    html_url: `${host.url}/acme/acme-agents/src/commit/${commitSha}/personas/dev.md`,
  });
});

test("A change saved by renaming is pushed, signed as Gitea signs", async () => {
  await writeFile(join(reposDir, "saved"), "better\n");
  await rename(join(reposDir, "saved"), join(repository, "personas", "dev.md"));
  const { headers, body } = await delivered.promise;
  const signature = createHmac("sha256", "secret").update(body).digest("hex");
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "x-gitea-event": "push",
    "x-gitea-event-type": "push",
    "x-gitea-signature": signature,
    "x-gogs-signature": signature,
    "x-hub-signature-256": `sha256=${signature}`,
    "x-hub-signature": `sha1=${createHmac("sha1", "secret").update(body).digest("hex")}`,
  });
  expect(headers["x-gitea-delivery"]).toMatch(/^[0-9a-f-]{36}$/);
  const payload = JSON.parse(body);
  expect(Object.keys(payload).join(" ")).toBe(
    "ref before after compare_url commits total_commits head_commit repository pusher sender",
  );
  expect(payload).toMatchObject({
    ref: "refs/heads/main",
    before: commitSha,
    commits: [{ added: [], removed: [], modified: ["personas/dev.md"] }],
    repository: { full_name: "acme/acme-agents", default_branch: "main" },
  });
  expect((await get(`${repo}/branches/main`)).body).toMatchObject({ commit: { id: payload.after } });
});

test("A repository that appears is pushed from nothing", async () => {
  const made = join(reposDir, "made");
  await mkdir(join(made, "new-agents"), { recursive: true });
  await writeFile(join(made, "new-agents", "README.md"), "new\n");
  await rename(made, join(reposDir, "new"));
  const { body } = await delivered.promise;
  const payload = JSON.parse(body);
  expect(payload).toMatchObject({ before: "0".repeat(40), repository: { full_name: "new/new-agents" } });
});

test("Links lead to readable pages that show files as text", async () => {
  await writeFile(join(repository, "personas", "dev.md"), "<script>alert(1)</script>");
  const page = async (path: string) => (await fetch(`${host.url}${path}`)).text();
  expect(await page("/acme/acme-agents")).toContain('href="/acme/acme-agents/src/branch/main/personas"');
  const file = await page("/acme/acme-agents/src/branch/main/personas/dev.md");
  expect(file).toContain("alert(1)");
  expect(file).not.toContain("<script>");
  expect((await fetch(`${host.url}/acme/nope`)).status).toBe(404);
});
