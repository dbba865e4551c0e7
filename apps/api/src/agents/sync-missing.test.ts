// A repository that is not there (D-31): not an error; its agent types stay until it was so at every look for 15 minutes.
import type { Sync } from "@task-service/contract";
import { expect, test } from "vitest";
import { newSlug, personaFile } from "../../test/factories.ts";
import { useScriptedApp } from "../../test/scripted-app.ts";
import { answerJson, type Script } from "../../test/scripted-git-host.ts";

const scripted = useScriptedApp();

const missing: Script = (path, response) => path !== "version" && answerJson(response, {}, 404);
const failing: Script = (_, response) => answerJson(response, {}, 503);

/** A fleet of one agent type, and the means to tell its story. */
const startFleet = async () => {
  const slug = newSlug();
  scripted.gitHost.serve({ "personas/developer.md": personaFile("developer") });
  const { id } = await scripted.app.client.createOrganization({ body: { slug } });
  const sync = (): Promise<Sync> => scripted.app.client.syncOrganization({ params: { organization: slug } });
  const agentTypes = async () => (await scripted.app.client.listAgentTypes({ query: { organization: slug } })).items;
  const isActive = async () => (await agentTypes()).map((one) => one.is_active);
  /** As if all that was written so far had been written so many minutes earlier. */
  const wait = (minutes: number) => scripted.app.sql`
    update agent_syncs set missing_since = missing_since - make_interval(mins => ${minutes}) where organization_id = ${id}
  `;
  const move = (agents_repo_url: string) =>
    scripted.app.client.updateOrganization({ params: { organization: slug }, body: { agents_repo_url } });
  await sync();
  return { sync, agentTypes, isActive, wait, move };
};
const warned = { status: "not_configured", commit: null, errors: [], warnings: [{ path: "personas" }] };
const unwarned = { status: "not_configured", commit: null, errors: [], warnings: [] };

test("is not configured at once; its agent types follow after 15 minutes, and come back with it", async () => {
  const { sync, isActive, wait } = await startFleet();
  scripted.gitHost.answerWith(missing);
  expect(await sync()).toMatchObject({ ...warned, message: expect.stringContaining("No agent types are configured") });
  await wait(14);
  expect(await sync()).toMatchObject(warned);
  expect(await isActive()).toEqual([true]);
  await wait(1);
  expect(await sync()).toMatchObject(unwarned);
  expect(await isActive()).toEqual([false]);
  expect(await sync()).toMatchObject(unwarned);
  scripted.gitHost.answerWith(() => false);
  expect(await sync()).toMatchObject({ status: "ok", message: null });
  expect(await isActive()).toEqual([true]);
});

test("a look that fails in between begins the 15 minutes afresh: it was not missing at every look", async () => {
  const { sync, isActive, wait } = await startFleet();
  scripted.gitHost.answerWith(missing);
  await sync();
  await wait(14);
  scripted.gitHost.answerWith(failing);
  expect(await sync()).toMatchObject({ status: "failed", warnings: [{ path: "personas" }] });
  await wait(14);
  scripted.gitHost.answerWith(missing);
  expect(await sync()).toMatchObject(warned);
  expect(await isActive()).toEqual([true]);
  await wait(15);
  await sync();
  expect(await isActive()).toEqual([false]);
});

test("another repository that is missing too begins its 15 minutes afresh", async () => {
  const { sync, isActive, wait, move } = await startFleet();
  scripted.gitHost.answerWith(missing);
  await sync();
  await wait(20);
  await move(`${scripted.gitHost.url}/elsewhere/personas`);
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
  scripted.gitHost.answerWith(missing);
  await scripted.app.client.createOrganization({ body: { slug } });
  expect(await scripted.app.client.syncOrganization({ params: { organization: slug } })).toMatchObject(unwarned);
});

const short = personaFile("short", "# Role\n");

test("its return brings back the agent types, with their ids and warnings, however long it was away", async () => {
  const { sync, agentTypes, isActive, wait } = await startFleet();
  scripted.gitHost.serve({ "personas/developer.md": personaFile("developer"), "personas/short.md": short });
  expect(await sync()).toMatchObject({ status: "ok", warnings: { length: 4 } });
  const before = await agentTypes();
  for (const minutes of [1, 15]) {
    scripted.gitHost.answerWith(missing);
    await sync();
    await wait(minutes);
    await sync();
    expect(await isActive()).toEqual(minutes === 15 ? [false, false] : [true, true]);
    scripted.gitHost.answerWith(() => false);
    expect(await sync()).toMatchObject({ status: "ok", warnings: { length: 4 } });
    expect((await agentTypes()).map(({ id, is_active }) => [id, is_active])).toEqual(
      before.map(({ id }) => [id, true]),
    );
  }
});

test("whoever has none is told what to create; once it is there it is read", async () => {
  const slug = newSlug();
  scripted.gitHost.answerWith(missing);
  scripted.gitHost.serve({ "personas/developer.md": personaFile("developer") });
  await scripted.app.client.createOrganization({ body: { slug } });
  const sync = () => scripted.app.client.syncOrganization({ params: { organization: slug } });
  const { status, message } = await sync();
  expect(status).toBe("not_configured");
  expect(message).toMatch(new RegExp(`No agent types are configured.*${slug}-agents.*under ${slug}\\b`));
  scripted.gitHost.answerWith(() => false);
  expect(await sync()).toMatchObject({ status: "ok", message: null });
  expect((await scripted.app.client.listAgentTypes({ query: { organization: slug } })).items).toHaveLength(1);
});

test("one that is there but empty, or without personas, is ok", async () => {
  const slug = newSlug();
  await scripted.app.client.createOrganization({ body: { slug } });
  const sync = () => scripted.app.client.syncOrganization({ params: { organization: slug } });
  const well = { status: "ok", message: null, errors: [], warnings: [] };
  scripted.gitHost.answerWith((_, response) => answerJson(response, {}, 409));
  expect(await sync()).toMatchObject({ ...well, commit: null });
  scripted.gitHost.answerWith(() => false);
  scripted.gitHost.serve({ "README.md": "# Agents" });
  expect(await sync()).toMatchObject({ ...well, commit: expect.any(String) });
});
