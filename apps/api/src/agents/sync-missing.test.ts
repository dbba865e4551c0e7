// A repository that is not there (D-31): not an error; its agent types stay until it was so at every look for 15 minutes.
import type { Sync } from "@task-service/contract";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newSlug, personaFile } from "../../test/factories.ts";
import { answerJson, type Script, type ScriptedGitHost, startScriptedGitHost } from "../../test/scripted-git-host.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let gitHost: ScriptedGitHost;
let app: TestApp;
beforeAll(async () => {
  gitHost = await startScriptedGitHost();
  app = await startTestApp({ env: { GIT_URL: gitHost.url } });
});
afterEach(() => gitHost.answerWith(() => false));
afterAll(async () => {
  await app.close();
  await gitHost.stop();
});

const missing: Script = (path, response) => path !== "version" && answerJson(response, {}, 404);
const failing: Script = (_, response) => answerJson(response, {}, 503);

/** A fleet of one agent type, and the means to tell its story. */
const startFleet = async () => {
  const slug = newSlug();
  gitHost.serve({ "personas/developer.md": personaFile("developer") });
  const { id } = await app.client.createOrganization({ body: { slug } });
  const sync = (): Promise<Sync> => app.client.syncOrganization({ params: { organization: slug } });
  const isActive = async () =>
    (await app.client.listAgentTypes({ query: { organization: slug } })).items.map((one) => one.is_active);
  /** As if all that was written so far had been written so many minutes earlier. */
  const wait = (minutes: number) => app.sql`
    update agent_syncs set missing_since = missing_since - make_interval(mins => ${minutes}) where organization_id = ${id}
  `;
  const move = (agents_repo_url: string) =>
    app.client.updateOrganization({ params: { organization: slug }, body: { agents_repo_url } });
  await sync();
  return { sync, isActive, wait, move };
};
const warned = { status: "not_configured", commit: null, errors: [], warnings: [{ path: "personas" }] };
const unwarned = { status: "not_configured", commit: null, errors: [], warnings: [] };

test("is not configured at once; its agent types follow after 15 minutes, and come back with it", async () => {
  const { sync, isActive, wait } = await startFleet();
  gitHost.answerWith(missing);
  expect(await sync()).toMatchObject({ ...warned, message: expect.stringContaining("No agent types are configured") });
  await wait(14);
  expect(await sync()).toMatchObject(warned);
  expect(await isActive()).toEqual([true]);
  await wait(1);
  expect(await sync()).toMatchObject(unwarned);
  expect(await isActive()).toEqual([false]);
  expect(await sync()).toMatchObject(unwarned);
  gitHost.answerWith(() => false);
  expect(await sync()).toMatchObject({ status: "ok", message: null });
  expect(await isActive()).toEqual([true]);
});

test("a look that fails in between begins the 15 minutes afresh: it was not missing at every look", async () => {
  const { sync, isActive, wait } = await startFleet();
  gitHost.answerWith(missing);
  await sync();
  await wait(14);
  gitHost.answerWith(failing);
  expect(await sync()).toMatchObject({ status: "failed", warnings: [{ path: "personas" }] });
  await wait(14);
  gitHost.answerWith(missing);
  expect(await sync()).toMatchObject(warned);
  expect(await isActive()).toEqual([true]);
  await wait(15);
  await sync();
  expect(await isActive()).toEqual([false]);
});

test("another repository that is missing too begins its 15 minutes afresh", async () => {
  const { sync, isActive, wait, move } = await startFleet();
  gitHost.answerWith(missing);
  await sync();
  await wait(20);
  await move(`${gitHost.url}/elsewhere/personas`);
  for (let look = 0; look < 2; look++) {
    expect(await sync()).toMatchObject(warned);
    expect(await isActive()).toEqual([true]);
  }
  await wait(15);
  await sync();
  expect(await isActive()).toEqual([false]);
});

test("there is nothing to warn of where no agent type is active", async () => {
  const slug = newSlug();
  gitHost.answerWith(missing);
  await app.client.createOrganization({ body: { slug } });
  expect(await app.client.syncOrganization({ params: { organization: slug } })).toMatchObject(unwarned);
});
