// What a synchronization writes (D-28, D-32): only what is news, however often a repository is looked at.
import type { Sync } from "@task-service/contract";
import { expect, test } from "vitest";
import { newSlug, personaFile } from "../../test/factories.ts";
import { useScriptedApp } from "../../test/scripted-app.ts";
import { answerJson } from "../../test/scripted-git-host.ts";

const files = {
  "personas/developer.md": personaFile("developer"),
  "personas/reviewer.md": personaFile("reviewer"),
  "personas/tester.md": personaFile("tester", "# Role\n"),
};

const scripted = useScriptedApp();

const startFleet = async () => {
  const slug = newSlug();
  scripted.gitHost.serve(files);
  const { id } = await scripted.app.client.createOrganization({ body: { slug } });
  const sync = (): Promise<Sync> => scripted.app.client.syncOrganization({ params: { organization: slug } });
  await sync();
  return { id, slug, sync };
};
const types = async (organization: string) =>
  (await scripted.app.client.listAgentTypes({ query: { organization } })).items;
/** Where each row is: a written one is elsewhere. */
const placesOf = (id: string) =>
  scripted.app.sql`select slug, ctid::text, xmin::text from agent_types where organization_id = ${id} order by slug`;
const statuses = async (id: string) =>
  (
    await scripted.app.sql<{ data: { status: string } }[]>`
      select data from events where organization_id = ${id} and type = 'agents.synced' order by id`
  ).map(({ data }) => data.status);

test("a look at an unchanged repository writes no agent type and no event, yet each was seen later", async () => {
  const { id, slug, sync } = await startFleet();
  const [places, before] = [await placesOf(id), await types(slug)];
  await scripted.app
    .sql`update agent_syncs set confirmed_at = confirmed_at - interval '1 hour' where organization_id = ${id}`;
  const found = await sync();
  expect(await placesOf(id)).toEqual(places);
  const after = await types(slug);
  expect(after.map(({ is_active }) => is_active)).toEqual([true, true, true]);
  for (const [index, { last_synced_at }] of after.entries()) {
    expect(Date.parse(last_synced_at)).toBeGreaterThan(Date.parse(before[index]?.last_synced_at ?? ""));
    expect(Date.parse(last_synced_at)).toBeLessThanOrEqual(Date.parse(found.finished_at ?? ""));
  }
  expect(await statuses(id)).toEqual(["ok"]);
});

test("a new commit writes the agent types it changed, and no other", async () => {
  const { id, slug, sync } = await startFleet();
  const places = await placesOf(id);
  scripted.gitHost.serve({ ...files, "personas/reviewer.md": personaFile("Rev") });
  await sync();
  const moved = (await placesOf(id)).filter(({ ctid }, index) => ctid !== places[index]?.ctid);
  expect(moved.map((row) => row.slug)).toEqual(["reviewer"]);
  expect(new Set((await types(slug)).map(({ last_synced_at }) => last_synced_at)).size).toBe(1);
});

test("an inactive agent type was last seen when it was found to be gone", async () => {
  const { slug, sync } = await startFleet();
  scripted.gitHost.serve({ "personas/developer.md": personaFile("developer") });
  await sync();
  const gone = (await types(slug)).find((one) => one.slug === "reviewer");
  await sync();
  const [developer, reviewer] = await types(slug);
  expect(reviewer?.last_synced_at).toBe(gone?.last_synced_at);
  expect(Date.parse(developer?.last_synced_at ?? "")).toBeGreaterThan(Date.parse(gone?.last_synced_at ?? ""));
});

test("a failed look says nothing of when an agent type was seen", async () => {
  const { slug, sync } = await startFleet();
  const before = await types(slug);
  scripted.gitHost.answerWith((_, response) => answerJson(response, {}, 500));
  expect((await sync()).status).toBe("failed");
  expect(await types(slug)).toEqual(before);
});

test("what stays as it is for long is one event, and each look has its time", async () => {
  const { id, sync } = await startFleet();
  const times: (string | null)[] = [];
  const often = async () => {
    for (let n = 0; n < 3; n++) times.push((await sync()).finished_at);
  };
  scripted.gitHost.answerWith((_, response) => answerJson(response, {}, 500));
  await often();
  scripted.gitHost.answerWith((_, response) => answerJson(response, {}, 503));
  await often();
  scripted.gitHost.answerWith((path, response) => path !== "version" && answerJson(response, {}, 404));
  await often();
  await scripted.app
    .sql`update agent_syncs set missing_since = now() - interval '15 minutes' where organization_id = ${id}`;
  await often();
  scripted.gitHost.answerWith((_, response) => answerJson(response, { message: "empty" }, 409));
  await often();
  scripted.gitHost.answerWith(() => false);
  await often();
  expect(times).toEqual([...new Set(times)].toSorted());
  // One for each fault, one for what became inactive, one for the empty repository and one for its return.
  expect(await statuses(id)).toEqual(["ok", "failed", "failed", "not_configured", "not_configured", "ok", "ok"]);
});
