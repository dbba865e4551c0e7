// Synchronizations that meet (D-31): one run at a time for an organization, and none that was overtaken writes.
import type { ServerResponse } from "node:http";
import type { Sync } from "@task-service/contract";
import { expect, test, vi } from "vitest";
import { newSlug, personaFile } from "../../test/factories.ts";
import { useScriptedApp } from "../../test/scripted-app.ts";
import { answerJson } from "../../test/scripted-git-host.ts";
import { untilBlocked } from "../../test/until-blocked.ts";

const scripted = useScriptedApp();

const sync = (organization: string): Promise<Sync> =>
  scripted.app.client.syncOrganization({ params: { organization } });

/** An organization with one persona read, whose repository has lost it since. */
const startFleet = async (): Promise<string> => {
  const slug = newSlug();
  scripted.gitHost.serve({ "personas/developer.md": personaFile("developer") });
  await scripted.app.client.createOrganization({ body: { slug } });
  await sync(slug);
  scripted.gitHost.serve({ "personas/reviewer.md": personaFile("reviewer") });
  scripted.gitHost.requests.length = 0;
  return slug;
};

/** Holds the answers to requests for the head commit until `open` is called; then it is `sha`. */
const gate = (sha = "a".repeat(40)) => {
  const waiting: ServerResponse[] = [];
  const answerAll = () => {
    scripted.gitHost.answerWith(() => false);
    for (const response of waiting) answerJson(response, [{ sha }]);
  };
  scripted.gitHost.answerWith((path, response) => path.includes("/commits") && waiting.push(response) > 0);
  return { waiting, open: answerAll };
};
const patient = { timeout: 5000 };

const heads = () => scripted.gitHost.requests.filter(({ path }) => path.includes("/commits")).length;

const idOf = async (slug: string): Promise<string> =>
  (await scripted.app.client.getOrganization({ params: { organization: slug } })).id;
const syncRow = async (id: string) => {
  const [row] = await scripted.app.sql<
    { requested: number; served: number; holder: string | null; started_at: string }[]
  >`
    select requested, served, holder, started_at from agent_syncs where organization_id = ${id}`;
  return row;
};

test("fifty requests on each of two replicas during a run share the one that follows it", async () => {
  const slug = await startFleet();
  const id = await idOf(slug);
  const other = await scripted.startReplica();
  try {
    const slow = gate();
    const first = scripted.app.sync.syncAgents(id);
    await vi.waitFor(() => expect(slow.waiting).toHaveLength(1), patient);
    const others = [scripted.app, other].flatMap(({ sync: { syncAgents } }) =>
      Array.from({ length: 50 }, () => syncAgents(id)),
    );
    // Each replica draws a ticket for the first call and one for the others.
    await vi.waitFor(async () => expect((await syncRow(id))?.requested).toBe(6), patient);
    const { sync: underWay } = await scripted.app.client.getOrganization({ params: { organization: slug } });
    expect(underWay.status).toBe("ok");
    expect(Date.parse(underWay.started_at ?? "")).toBeGreaterThan(Date.parse(underWay.finished_at ?? ""));
    slow.open();
    expect(new Set(await Promise.all([first, ...others]))).toEqual(new Set([true]));
    expect(heads()).toBe(2);
    expect(await syncRow(id)).toMatchObject({ requested: 6, served: 6, holder: null });
    expect([scripted.app.sync.underWay(), other.sync.underWay()]).toEqual([0, 0]);
  } finally {
    await other.close();
  }
});

test("a request after a run is served by one of its own", async () => {
  const slug = await startFleet();
  for (const runs of [1, 2]) {
    await sync(slug);
    expect(heads()).toBe(runs);
  }
});

test("a replica that stops gives its organization back at once, as it was, and another does what was asked", async () => {
  const slug = await startFleet();
  const id = await idOf(slug);
  const stopping = await scripted.startReplica();
  const slow = gate();
  const running = stopping.sync.syncAgents(id);
  await vi.waitFor(() => expect(slow.waiting).toHaveLength(1), patient);
  const waiting = scripted.app.sync.syncAgents(id);
  await stopping.close();
  expect(await running).toBe(false);
  expect(await scripted.app.client.listAgentTypes({ query: { organization: slug } })).toMatchObject({
    items: [{ slug: "developer", is_active: true }],
  });
  await vi.waitFor(() => expect(slow.waiting).toHaveLength(2), patient);
  slow.open();
  expect(await waiting).toBe(true);
  expect(await scripted.app.sync.syncAgents(id)).toBe(true);
});

test("whoever waits at a replica that stops is told that the run is not over", async () => {
  const slug = await startFleet();
  const stopping = await scripted.startReplica();
  const slow = gate();
  const asked = stopping.request(`/organizations/${slug}/sync`, {
    method: "POST",
    headers: { authorization: `Bearer ${scripted.app.token}`, connection: "close" },
  });
  await vi.waitFor(() => expect(slow.waiting).toHaveLength(1), patient);
  const [answer] = await Promise.all([asked, stopping.close()]);
  expect(answer.status).toBe(202);
  const { started_at, finished_at } = (await answer.json()) as Sync;
  expect(started_at).toBe(finished_at);
  expect(await syncRow(await idOf(slug))).toMatchObject({ holder: null, requested: 2, served: 1 });
  slow.open();
});

test("a repository that was changed for another during the run is not believed: the new one is read", async () => {
  const slug = await startFleet();
  const id = await idOf(slug);
  const slow = gate();
  const running = scripted.app.sync.syncAgents(id);
  await vi.waitFor(() => expect(slow.waiting).toHaveLength(1), patient);
  await scripted.app.client.updateOrganization({
    params: { organization: slug },
    body: { agents_repo_url: `${scripted.gitHost.url}/elsewhere/personas` },
  });
  scripted.gitHost.requests.length = 0;
  slow.open();
  expect(await running).toBe(true);
  const { items } = await scripted.app.client.listAgentTypes({ query: { organization: slug } });
  expect(
    items.map(({ slug: name, is_active, source }) => [name, is_active, source.html_url.includes("elsewhere")]),
  ).toEqual([
    ["developer", false, false],
    ["reviewer", true, true],
  ]);
});

test("nor is a look that found nothing new in the repository that was changed for another", async () => {
  const slug = await startFleet();
  const id = await idOf(slug);
  const { commit } = await sync(slug);
  const slow = gate(commit ?? "");
  const running = scripted.app.sync.syncAgents(id);
  await vi.waitFor(() => expect(slow.waiting).toHaveLength(1), patient);
  await scripted.app.client.updateOrganization({
    params: { organization: slug },
    body: { agents_repo_url: `${scripted.gitHost.url}/elsewhere/personas` },
  });
  scripted.gitHost.serve({ "personas/tester.md": personaFile("tester") });
  slow.open();
  expect(await running).toBe(true);
  const { items } = await scripted.app.client.listAgentTypes({ query: { organization: slug, is_active: true } });
  expect(items.map((one) => one.slug)).toEqual(["tester"]);
});

test("nor is what was read written, when the repository was changed for another in that very moment", async () => {
  const slug = await startFleet();
  const id = await idOf(slug);
  scripted.gitHost.serve({ "personas/developer.md": personaFile("Dev") });
  let running: Promise<boolean> | undefined;
  await scripted.app.sql.begin(async (transaction) => {
    await transaction`select from agent_types where organization_id = ${id} for update`;
    running = scripted.app.sync.syncAgents(id);
    await untilBlocked(scripted.app);
    await scripted.app.client.updateOrganization({
      params: { organization: slug },
      body: { agents_repo_url: `${scripted.gitHost.url}/elsewhere/personas` },
    });
  });
  expect(await running).toBe(true);
  const rows = await scripted.app.sql`
    select repo_owner, served = requested as is_served, holder from agent_type_versions v
    join agent_types a on a.id = v.agent_type_id join agent_syncs s using (organization_id)
    where organization_id = ${id} order by v.id
  `;
  expect(rows).toEqual([slug, "elsewhere"].map((repo_owner) => ({ repo_owner, is_served: true, holder: null })));
});

test("a hold that a dead replica left is taken over once it has run out, and not before", async () => {
  const slug = await startFleet();
  const hold = (seconds: number) => scripted.app.sql`
    update agent_syncs set holder = gen_random_uuid(), held_until = now() + make_interval(secs => ${seconds})
    where organization_id = (select id from organizations where slug = ${slug})
  `;
  await hold(60);
  const waiting = sync(slug);
  await vi.waitFor(async () => {
    const [row] = await scripted.app.sql`
      select from agent_syncs s join organizations o on o.id = s.organization_id where o.slug = ${slug} and requested > served`;
    expect(row).toBeDefined();
  }, patient);
  expect(heads()).toBe(0);
  await hold(-1);
  expect(await waiting).toMatchObject({ status: "ok" });
});

test("a run whose hold was taken over meanwhile writes nothing", async () => {
  const slug = await startFleet();
  const slow = gate();
  const overtaken = sync(slug);
  await vi.waitFor(() => expect(slow.waiting).toHaveLength(1), patient);
  await scripted.app.sql`
    update agent_syncs set holder = gen_random_uuid(), held_until = now() + interval '1 minute', served = requested
    where organization_id = (select id from organizations where slug = ${slug})
  `;
  slow.open();
  await overtaken;
  const { items } = await scripted.app.client.listAgentTypes({ query: { organization: slug } });
  expect(items).toMatchObject([{ slug: "developer", is_active: true }]);
});

test("an organization deleted during its run is gone, and the run ends", async () => {
  const slug = await startFleet();
  const slow = gate();
  const running = sync(slug);
  await vi.waitFor(() => expect(slow.waiting).toHaveLength(1), patient);
  const { id } = await scripted.app.client.getOrganization({ params: { organization: slug } });
  await scripted.app.client.deleteOrganization({ params: { organization: slug } });
  slow.open();
  await expect(running).rejects.toMatchObject({ code: "not_found" });
  expect(await scripted.app.sql`select from agent_types where organization_id = ${id}`).toEqual([]);
});
