// Synchronizations that meet (D-31): one run at a time for an organization, and none that was overtaken writes.
import type { ServerResponse } from "node:http";
import type { Sync } from "@task-service/contract";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { newSlug, personaFile } from "../../test/factories.ts";
import { answerJson, type ScriptedGitHost, startScriptedGitHost } from "../../test/scripted-git-host.ts";
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

const sync = (organization: string): Promise<Sync> => app.client.syncOrganization({ params: { organization } });

/** An organization with one persona read, whose repository has lost it since. */
const startFleet = async (): Promise<string> => {
  const slug = newSlug();
  gitHost.serve({ "personas/developer.md": personaFile("developer") });
  await app.client.createOrganization({ body: { slug } });
  await sync(slug);
  gitHost.serve({ "personas/reviewer.md": personaFile("reviewer") });
  gitHost.requests.length = 0;
  return slug;
};

/** Holds the answers to requests for the head commit until `open` is called. */
const gate = () => {
  const waiting: ServerResponse[] = [];
  const answerAll = () => {
    gitHost.answerWith(() => false);
    for (const response of waiting) answerJson(response, [{ sha: "a".repeat(40) }]);
  };
  gitHost.answerWith((path, response) => path.includes("/commits") && waiting.push(response) > 0);
  return { waiting, open: answerAll };
};
const patient = { timeout: 5000 };

const heads = () => gitHost.requests.filter(({ path }) => path.includes("/commits")).length;

test("ten requests during a run share the one that follows it", async () => {
  const slug = await startFleet();
  const slow = gate();
  const first = sync(slug);
  await vi.waitFor(() => expect(slow.waiting).toHaveLength(1), patient);
  const others = Array.from({ length: 10 }, () => sync(slug));
  await vi.waitFor(async () => {
    const [row] = await app.sql<{ requested: number }[]>`
      select requested from agent_syncs s join organizations o on o.id = s.organization_id where o.slug = ${slug}`;
    expect(row?.requested).toBe(12);
  }, patient);
  const { sync: underWay } = await app.client.getOrganization({ params: { organization: slug } });
  expect(underWay.status).toBe("ok");
  expect(Date.parse(underWay.started_at ?? "")).toBeGreaterThan(Date.parse(underWay.finished_at ?? ""));
  slow.open();
  const answers = await Promise.all([first, ...others]);
  expect(answers.map((answer) => answer.status)).toEqual(Array(11).fill("ok"));
  expect(heads()).toBe(2);
});

test("a hold that a dead replica left is taken over once it has run out, and not before", async () => {
  const slug = await startFleet();
  const hold = (seconds: number) => app.sql`
    update agent_syncs set holder = gen_random_uuid(), held_until = now() + make_interval(secs => ${seconds})
    where organization_id = (select id from organizations where slug = ${slug})
  `;
  await hold(60);
  const waiting = sync(slug);
  await vi.waitFor(async () => {
    const [row] = await app.sql`
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
  await app.sql`
    update agent_syncs set holder = gen_random_uuid(), held_until = now() + interval '1 minute', served = requested
    where organization_id = (select id from organizations where slug = ${slug})
  `;
  slow.open();
  await overtaken;
  const { items } = await app.client.listAgentTypes({ query: { organization: slug } });
  expect(items).toMatchObject([{ slug: "developer", is_active: true }]);
});

test("an organization deleted during its run is gone, and the run ends", async () => {
  const slug = await startFleet();
  const slow = gate();
  const running = sync(slug);
  await vi.waitFor(() => expect(slow.waiting).toHaveLength(1), patient);
  const { id } = await app.client.getOrganization({ params: { organization: slug } });
  await app.client.deleteOrganization({ params: { organization: slug } });
  slow.open();
  await expect(running).rejects.toMatchObject({ code: "not_found" });
  expect(await app.sql`select from agent_types where organization_id = ${id}`).toEqual([]);
});
