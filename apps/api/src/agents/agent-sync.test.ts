// Synchronization on demand against the development git host (D-31): what personas become when their files change.
import type { AgentType, Sync } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createFleet, createTask, type Fleet, personaFile, writeRepoFile } from "../../test/factories.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const sync = (organization: string): Promise<Sync> => app.client.syncOrganization({ params: { organization } });
const types = async (organization: string) => (await app.client.listAgentTypes({ query: { organization } })).items;
const read = (agentType: { id: string } | undefined): Promise<AgentType> =>
  app.client.getAgentType({ params: { id: agentType?.id ?? "" } });
const eventsOf = ({ organization }: Fleet) =>
  app.sql`select data from events where organization_id = ${organization.id} and type = 'agents.synced' order by id`;

/** A fleet and how to change a persona of it, file and agent types at once. */
const startFleet = async (...personas: string[]) => {
  const fleet = await createFleet(app, personas);
  const { slug } = fleet.organization;
  const write = async (persona: string, content: string | undefined): Promise<Sync> => {
    await writeRepoFile(slug, `personas/${persona}.md`, content);
    return sync(slug);
  };
  return { fleet, slug, write, agentTypes: fleet.agentTypes };
};

describe("a repository with personas", () => {
  test("becomes active agent types, each with the exact body and its source", async () => {
    const { fleet, slug } = await startFleet("developer", "reviewer");
    const { sync: found, agent_type_count } = await app.client.getOrganization({ params: { organization: slug } });
    expect(found).toEqual({
      status: "ok",
      message: null,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      started_at: expect.any(String),
      finished_at: expect.any(String),
      errors: [],
      warnings: [],
    });
    expect(agent_type_count).toBe(2);
    const developer = await read(fleet.agentTypes.developer);
    expect(developer).toEqual({
      id: expect.any(String),
      organization_id: fleet.organization.id,
      organization_slug: slug,
      slug: "developer",
      name: "developer",
      description: "Does what a developer does",
      body: personaFile("developer").split("---\n").at(-1),
      is_active: true,
      last_synced_at: found.finished_at && expect.any(String),
      source: {
        path: "personas/developer.md",
        commit: found.commit,
        blob_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
        html_url: `${inject("gitUrl")}/${slug}/${slug}-agents/src/commit/${found.commit}/personas/developer.md`,
      },
      queued_count: 0,
      dispatched_count: 0,
    });
    expect(await eventsOf(fleet)).toEqual([
      { data: { status: "ok", commit: found.commit, changed: ["developer", "reviewer"] } },
    ]);
  });

  test("that has not changed is only looked at: no event, a later time", async () => {
    const { fleet, slug, agentTypes } = await startFleet("developer");
    await app.sql`update agent_types set last_synced_at = now() - interval '1 hour' where id = ${agentTypes.developer?.id ?? ""}`;
    expect(await sync(slug)).toMatchObject({ status: "ok", commit: fleet.organization.sync.commit });
    const { last_synced_at } = await read(agentTypes.developer);
    expect(Date.now() - Date.parse(last_synced_at)).toBeLessThan(60_000);
    expect(await eventsOf(fleet)).toHaveLength(1);
  });

  test("an edited persona has a new body; what was handed over before keeps the one it had", async () => {
    const { fleet, slug, write, agentTypes } = await startFleet("developer");
    await createTask(app, fleet);
    await createTask(app, fleet);
    const take = () => app.client.takeNextTask({ query: { organization: slug } });
    const before = await take();
    await write("developer", personaFile("Dev", "New body\n"));
    expect(await read(agentTypes.developer)).toMatchObject({
      id: agentTypes.developer?.id,
      name: "Dev",
      body: "New body\n",
    });
    const after = await take();
    expect([before?.agent_type.body === after?.agent_type.body, after?.agent_type.body]).toEqual([false, "New body\n"]);
    expect(after?.dispatch.agent_type_version_id).not.toBe(before?.dispatch.agent_type_version_id);
    const { agent_type } = await app.client.getDispatch({ params: { id: before?.dispatch.id ?? "" } });
    expect(agent_type).toEqual(before?.agent_type);
  });

  test("a removed persona is inactive, is still dispatched, and comes back with its id", async () => {
    const { fleet, slug, write, agentTypes } = await startFleet("developer", "reviewer");
    await createTask(app, fleet);
    await write("developer", undefined);
    expect(await read(agentTypes.developer)).toMatchObject({ is_active: false });
    expect((await app.client.getOrganization({ params: { organization: slug } })).agent_type_count).toBe(1);
    const handoff = await app.client.takeNextTask({ query: { organization: slug } });
    expect(handoff?.agent_type).toMatchObject({ slug: "developer", is_active: false, name: "developer" });
    await write("developer", personaFile("developer"));
    expect(await types(slug)).toMatchObject([
      { id: agentTypes.developer?.id, is_active: true },
      { id: agentTypes.reviewer?.id, is_active: true },
    ]);
  });

  test("another repository takes the agent types over by their slugs", async () => {
    const { slug, agentTypes } = await startFleet("developer", "reviewer");
    const { slug: elsewhere } = await startFleet("developer", "tester");
    const agents_repo_url = `${inject("gitUrl")}/${elsewhere}/${elsewhere}-agents`;
    const { sync: forgotten } = await app.client.updateOrganization({
      params: { organization: slug },
      body: { agents_repo_url },
    });
    expect(forgotten.commit).toBeNull();
    expect(await sync(slug)).toMatchObject({ status: "ok" });
    expect((await types(slug)).map(({ slug: name, is_active }) => [name, is_active])).toEqual([
      ["developer", true],
      ["reviewer", false],
      ["tester", true],
    ]);
    const { id, source } = await read(agentTypes.developer);
    expect([id, source.html_url.startsWith(agents_repo_url)]).toEqual([agentTypes.developer?.id, true]);
  });
});

describe("a file that is refused", () => {
  const broken = "---\nname: Dev\ndescription: [\n---\n";

  test("is listed with its line, keeps its last good version and stops no other", async () => {
    const { slug, write, agentTypes } = await startFleet("developer", "reviewer");
    const before = await read(agentTypes.developer);
    await writeRepoFile(slug, "personas/reviewer.md", personaFile("Rev"));
    expect(await write("developer", broken)).toMatchObject({
      status: "partial",
      message: expect.any(String),
      errors: [{ path: "personas/developer.md", line: 3, detail: expect.stringContaining("not closed") }],
    });
    expect(await read(agentTypes.developer)).toMatchObject({ is_active: true, body: before.body });
    expect(await read(agentTypes.reviewer)).toMatchObject({ name: "Rev" });
    expect(await sync(slug)).toMatchObject({ status: "partial", errors: [{ line: 3 }] });
    expect(await write("developer", personaFile("developer"))).toMatchObject({ status: "ok", errors: [] });
  });

  test.each([
    ["cannot be read", broken],
    ["is too large", personaFile("developer", "x".repeat(257 * 1024))],
  ])("because it %s does not bring back a persona that was gone, until it is mended", async (_, content) => {
    const { write, agentTypes } = await startFleet("developer", "reviewer");
    await write("developer", undefined);
    for (const status of ["partial", "partial"]) {
      expect(await write("developer", content)).toMatchObject({ status });
      expect(await read(agentTypes.developer)).toMatchObject({ is_active: false });
      await write("reviewer", personaFile("Rev"));
    }
    expect(await write("developer", personaFile("developer"))).toMatchObject({ status: "ok" });
    expect(await read(agentTypes.developer)).toMatchObject({ is_active: true });
  });

  test("is no agent type if it never was one", async () => {
    const { slug, write } = await startFleet("developer");
    await write("tester", broken);
    expect((await types(slug)).map((one) => one.slug)).toEqual(["developer"]);
  });

  test("for its size keeps its last good version too", async () => {
    const { write, agentTypes } = await startFleet("developer");
    const large = personaFile("developer", "x".repeat(257 * 1024));
    expect(await write("developer", large)).toMatchObject({
      status: "partial",
      errors: [{ path: "personas/developer.md", line: null, detail: expect.stringContaining("256 KiB") }],
    });
    expect(await read(agentTypes.developer)).toMatchObject({ is_active: true });
  });

  test("for characters that cannot be stored does not stop the synchronization", async () => {
    const { write } = await startFleet("developer");
    const content = personaFile("developer").replace("---\n", '---\n"\\0\\ud800": x\n');
    expect(await write("developer", content)).toMatchObject({ status: "ok", warnings: [{ line: 2 }] });
  });

  test("for its place or name is listed; README.md and hidden files are not", async () => {
    const { slug, write } = await startFleet("developer");
    const good = personaFile("x");
    for (const name of ["Tester.md", "notes.txt", "deep/tester.md", "README.md", ".hidden.md"]) {
      await writeRepoFile(slug, `personas/${name}`, good);
    }
    const { status, errors } = await write("reviewer", good);
    expect([status, errors.map(({ path }) => path)]).toEqual([
      "partial",
      ["personas/Tester.md", "personas/deep", "personas/notes.txt"],
    ]);
    expect((await types(slug)).map((one) => one.slug)).toEqual(["developer", "reviewer"]);
  });
});

describe("warnings", () => {
  const short = personaFile("short", "# Role\n");
  const count = ({ status, warnings }: Sync) => [status, warnings.length];

  test("leave ok, and stay while the file does not change", async () => {
    const { slug, write } = await startFleet("developer");
    expect(count(await write("tester", short))).toEqual(["ok", 4]);
    expect(count(await sync(slug))).toEqual(["ok", 4]);
    expect(count(await write("reviewer", personaFile("reviewer")))).toEqual(["ok", 4]);
    expect(count(await write("tester", personaFile("tester")))).toEqual(["ok", 0]);
  });

  test("come back with a file that was away or broken and is now what it was", async () => {
    const { slug, write } = await startFleet("developer");
    await write("tester", short);
    expect(count(await write("tester", undefined))).toEqual(["ok", 0]);
    expect(count(await write("tester", short))).toEqual(["ok", 4]);
    await write("tester", "broken");
    expect(count(await write("tester", short))).toEqual(["ok", 4]);
    const versions = await app.sql`
      select from agent_type_versions v join agent_types a on a.id = v.agent_type_id
      where a.slug = 'tester' and a.organization_id = (select id from organizations where slug = ${slug})
    `;
    expect(versions).toHaveLength(1);
  });
});
