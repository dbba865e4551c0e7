// What synchronization never tells (D-30): the read token and the personas' bodies are in no log line and go nowhere else.
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSlug, personaFile } from "../../test/factories.ts";
import { answerJson, type Script, type ScriptedGitHost, startScriptedGitHost } from "../../test/scripted-git-host.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { createGitHost } from "../git/git-host-client.ts";
import { createGitHostRequests } from "../git/git-host-requests.ts";
import { createLogger } from "../platform/logger.ts";
import { createAgentSync } from "./agent-sync.ts";

const readToken = "the-token-nobody-may-see";
const secretBody = "what-the-persona-is-told";

let gitHost: ScriptedGitHost;
let elsewhere: ScriptedGitHost;
let app: TestApp;
beforeAll(async () => {
  [gitHost, elsewhere] = await Promise.all([startScriptedGitHost(), startScriptedGitHost()]);
  app = await startTestApp({ env: { GIT_URL: gitHost.url } });
});
afterAll(async () => {
  await app.close();
  await Promise.all([gitHost.stop(), elsewhere.stop()]);
});

const redirect: Script = (path, response) =>
  Boolean(response.writeHead(302, { location: `${elsewhere.url}/api/v1/${path}` }).end());
/** Personas are given as bytes of which the host itself says otherwise. */
const doubtful: Script = (path, response) =>
  path.includes("developer.md") &&
  answerJson(response, { type: "file", encoding: "base64", size: 1, sha: "0", content: btoa(secretBody) });
const faults: Script[] = [
  (_, response) => answerJson(response, { message: readToken }, 401),
  (_, response) => answerJson(response, {}, 500),
  (_, response) => Boolean(response.destroy()),
  () => true,
  (_, response) => Boolean(response.writeHead(200, { "content-type": "application/json" }).end(secretBody)),
  redirect,
  doubtful,
  () => false,
];

test("through every fault, nothing is logged or sent elsewhere that must not be", async () => {
  const lines: string[] = [];
  const log = createLogger("trace", { write: (line) => lines.push(line) });
  const requests = createGitHostRequests({ apiUrl: `${gitHost.url}/api/v1`, readToken, timeoutMs: 200 });
  const sql = app.database.background;
  const { syncAgents } = createAgentSync({ sql, gitHost: createGitHost(requests), log });
  const slug = newSlug();
  const { id } = await app.client.createOrganization({ body: { slug } });

  const statuses: string[] = [];
  for (const [index, fault] of faults.entries()) {
    gitHost.serve({ "personas/developer.md": personaFile("developer", `${secretBody} ${index}`) });
    gitHost.answerWith(fault);
    await syncAgents(id);
    statuses.push((await app.client.getOrganization({ params: { organization: slug } })).sync.status);
  }
  // A fault of our own: the message of PostgreSQL names what could not be written.
  await app.sql`alter table agent_type_versions add constraint refused check (body not like ${app.sql.unsafe("'%NEVER%'")})`;
  gitHost.serve({ "personas/developer.md": personaFile("developer", `${secretBody} NEVER`) });
  await syncAgents(id);
  const { sync } = await app.client.getOrganization({ params: { organization: slug } });
  expect(sync).toMatchObject({ status: "failed", commit: null, message: expect.stringContaining("logged") });

  expect(statuses).toEqual([...Array(7).fill("failed"), "ok"]);
  expect(lines.length).toBeGreaterThan(faults.length);
  expect(lines.filter((line) => line.includes(readToken) || line.includes(secretBody))).toEqual([]);
  expect(elsewhere.requests).toEqual([]);
  expect(new Set(gitHost.requests.map(({ headers }) => headers.authorization))).toEqual(
    new Set([`token ${readToken}`]),
  );
});
