// The versions of agent types (D-11): every body there ever was, newest first; what was dispatched stays what it was.
import type { AgentTypeVersion } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createFleet, createTask, newSlug, personaFile, takeTask, writeRepoFile } from "../../test/factories.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { createId } from "../platform/identifiers.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const startFleet = async () => {
  const fleet = await createFleet(app, ["developer"]);
  const { slug } = fleet.organization;
  const id = fleet.agentTypes.developer?.id ?? "";
  const sync = () => app.client.syncOrganization({ params: { organization: slug } });
  const write = async (content: string | undefined) => {
    await writeRepoFile(slug, "personas/developer.md", content);
    return sync();
  };
  const versions = async (): Promise<AgentTypeVersion[]> =>
    (await app.client.listAgentTypeVersions({ params: { id } })).items;
  return { fleet, slug, id, sync, write, versions };
};

describe("GET /agent-types/{id}/versions", () => {
  test("has each body with its commit and when it was first seen, newest first; one that returns is new", async () => {
    const { id, fleet, write, versions } = await startFleet();
    const first = personaFile("developer");
    const changed = await write(personaFile("Dev", "Other\n"));
    await write(first);
    const [back, other, original, ...more] = await versions();
    expect(more).toEqual([]);
    expect(other).toEqual({
      id: expect.any(String),
      agent_type_id: id,
      name: "Dev",
      description: "Does what a Dev does",
      body: "Other\n",
      source: {
        path: "personas/developer.md",
        commit: changed.commit,
        blob_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
        html_url: expect.stringContaining(`/src/commit/${changed.commit}/personas/developer.md`),
      },
      first_seen_at: expect.any(String),
    });
    expect(original?.source.commit).toBe(fleet.organization.sync.commit);
    expect([back?.body, back?.source.blob_sha]).toEqual([original?.body, original?.source.blob_sha]);
    const times = [original, other, back].map((version) => Date.parse(version?.first_seen_at ?? ""));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const { body, source } = await app.client.getAgentType({ params: { id } });
    expect({ body, source }).toEqual({ body: back?.body, source: back?.source });
  });

  test("is paged without gap or repeat", async () => {
    const { id, write, versions } = await startFleet();
    for (let n = 0; n < 4; n++) await write(personaFile(`dev-${n}`));
    const all = await versions();
    expect(all.map(({ name }) => name)).toEqual(["dev-3", "dev-2", "dev-1", "dev-0", "developer"]);
    expect((await pageThrough(id, { limit: 2 })).flat()).toEqual(all.map((version) => version.id));
  });

  /** As if the persona had had these bodies since, one a minute from an hour ago on. */
  const insertVersions = (id: string, ids: readonly string[], body: string) => app.sql`
    insert into agent_type_versions
    select next.id, agent_type_id, name, description, ${body}, repo_owner, repo_name, path, commit, blob_sha,
      date_trunc('milliseconds', now()) - interval '1 hour' + place * interval '1 minute'
    from agent_type_versions, unnest(${ids}::uuid[]) with ordinality as next (id, place) where agent_type_id = ${id}
  `;
  const pageThrough = async (id: string, query: { limit?: number }): Promise<string[][]> => {
    const pages: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await app.client.listAgentTypeVersions({
        params: { id },
        query: { ...query, ...(cursor && { cursor }) },
      });
      pages.push(page.items.map((version) => version.id));
      cursor = page.next_cursor;
    }
    return pages;
  };

  test("goes by when they were first seen, not by ids, which clocks of replicas make", async () => {
    const { id, versions } = await startFleet();
    const [read] = await versions();
    const ids = Array.from({ length: 5 }, createId).toReversed();
    await insertVersions(id, ids, "x");
    const newestFirst = [read?.id, ...ids.toReversed()];
    expect(await pageThrough(id, { limit: 4 })).toEqual([newestFirst.slice(0, 4), newestFirst.slice(4)]);
    await app.sql`update agent_type_versions set first_seen_at = now() where agent_type_id = ${id}`;
    const byId = newestFirst.toSorted().toReversed();
    expect(await pageThrough(id, { limit: 4 })).toEqual([byId.slice(0, 4), byId.slice(4)]);
  });

  test("a page ends before its bodies come to more than 8 MiB of JSON", async () => {
    const { id } = await startFleet();
    // Each character becomes six of JSON, so seven of these bodies are a little more than 8 MiB.
    await insertVersions(id, Array.from({ length: 14 }, createId), "\u0001".repeat(200 * 1024));
    expect((await pageThrough(id, { limit: 200 })).map((page) => page.length)).toEqual([7, 6, 2]);
    expect((await pageThrough(id, { limit: 4 })).map((page) => page.length)).toEqual([4, 4, 4, 3]);
  });

  test("a page has one body at least, however large", async () => {
    const { id } = await startFleet();
    await insertVersions(id, Array.from({ length: 2 }, createId), "\u0001".repeat(1.5 * 1024 * 1024));
    expect((await pageThrough(id, {})).map((page) => page.length)).toEqual([1, 1, 1]);
  });

  test("a page of small ones is as long as any other", async () => {
    const { id } = await startFleet();
    await insertVersions(id, Array.from({ length: 250 }, createId), "x");
    expect((await pageThrough(id, { limit: 200 })).map((page) => page.length)).toEqual([200, 51]);
    expect((await pageThrough(id, {})).map((page) => page.length)).toEqual([50, 50, 50, 50, 50, 1]);
  });

  test("is 404 for an agent type there is not", async () => {
    const unknown = app.client.listAgentTypeVersions({ params: { id: createId() } });
    await expect(unknown).rejects.toMatchObject(refusal("not_found"));
  });
});

describe("a version", () => {
  test("of a dispatch stays what it was after the persona changed", async () => {
    const { fleet, write, versions } = await startFleet();
    await createTask(app, fleet);
    const { dispatch, agent_type } = await takeTask(app, fleet);
    await write(personaFile("Dev", "Other\n"));
    const [newest, carried] = await versions();
    expect(carried?.id).toBe(dispatch.agent_type_version_id);
    expect(newest?.id).not.toBe(carried?.id);
    expect(carried).toMatchObject({ name: agent_type.name, body: agent_type.body, source: agent_type.source });
  });

  test("is not made by a file that was only away; those of an inactive agent type stay listed", async () => {
    const { write, sync, versions } = await startFleet();
    await write(undefined);
    const away = await versions();
    expect(away).toHaveLength(1);
    await write(personaFile("developer"));
    await sync();
    expect(await versions()).toEqual(away);
  });

  test("is made by another repository, even of the same content", async () => {
    const { slug, sync, versions } = await startFleet();
    const elsewhere = newSlug();
    await writeRepoFile(elsewhere, "personas/developer.md", personaFile("developer"));
    const agents_repo_url = `${inject("gitUrl")}/${elsewhere}/${elsewhere}-agents`;
    await app.client.updateOrganization({ params: { organization: slug }, body: { agents_repo_url } });
    await sync();
    const [newest, original] = await versions();
    expect(newest?.body).toBe(original?.body);
    expect(newest?.source.html_url.startsWith(agents_repo_url)).toBe(true);
    expect(original?.source.html_url.startsWith(agents_repo_url)).toBe(false);
  });

  test("goes with its organization", async () => {
    const { slug, id, write, versions } = await startFleet();
    await write(personaFile("Dev"));
    await app.client.deleteOrganization({ params: { organization: slug } });
    expect(await app.sql`select from agent_type_versions where agent_type_id = ${id}`).toEqual([]);
    await expect(versions()).rejects.toMatchObject(refusal("not_found"));
  });
});
