// What synchronization asks of the git host (D-31, D-32): counted, for Gitea and Forgejo alike.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newSlug, personaFile, writeRepoFile } from "../../test/factories.ts";
import { switchesOf } from "../../test/git-host-switches.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { createLogger } from "../platform/logger.ts";
import { syncAllAgents } from "./sync-round.ts";

const host = switchesOf(newSlug());
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { GIT_API_URL: host.apiUrl } });
});
afterEach(() => host.reset());
afterAll(() => app.close());

const sync = (organization: string) => app.client.syncOrganization({ params: { organization } });
const names = (count: number) => Array.from({ length: count }, (_, n) => `p${String(n).padStart(3, "0")}`);

/** An organization that was synchronized with so many personas; what that cost is forgotten. */
const startFleet = async (personas: number): Promise<string> => {
  const slug = newSlug();
  const write = (name: string) => writeRepoFile(slug, `personas/${name}.md`, personaFile(name));
  await Promise.all(names(personas).map(write));
  await app.client.createOrganization({ body: { slug } });
  await sync(slug);
  await host.forget();
  return slug;
};

/** What was asked since, without what all paths of the organization's repository have in common. */
const asked = async (slug: string): Promise<string[]> =>
  (await host.requests()).requests.map(({ path }) => path.replace(`repos/${slug}/${slug}-agents/`, ""));
const head = "commits?limit=1&stat=false&files=false&verification=false";

describe.each(["gitea", "forgejo"] as const)("of %s", (dialect) => {
  test("an unchanged repository costs one request", async () => {
    await host.set({ dialect });
    const slug = await startFleet(3);
    expect(await sync(slug)).toMatchObject({ status: "ok" });
    expect(await asked(slug)).toEqual([head]);
  });

  test("one edited persona of 200 costs three, all at one commit", async () => {
    await host.set({ dialect });
    const slug = await startFleet(200);
    await writeRepoFile(slug, "personas/p117.md", personaFile("edited"));
    const { status, commit } = await sync(slug);
    expect(status).toBe("ok");
    expect(await asked(slug)).toEqual([
      head,
      `contents/personas?ref=${commit}`,
      `contents/personas/p117.md?ref=${commit}`,
    ]);
  });

  test("a repository that has become empty costs two, and one once its agent types are inactive", async () => {
    await host.set({ dialect });
    const slug = await startFleet(1);
    await writeRepoFile(slug, "personas", undefined);
    expect(await sync(slug)).toMatchObject({ status: "ok", commit: null });
    await sync(slug);
    expect(await asked(slug)).toEqual([head, `repos/${slug}/${slug}-agents`, head]);
  });

  test("an empty repository costs one, a missing one two, one without personas three", async () => {
    await host.set({ dialect });
    const slug = await startFleet(1);
    await writeRepoFile(slug, "README.md", "x");
    await writeRepoFile(slug, "personas", undefined);
    const { commit } = await sync(slug);
    expect(await asked(slug)).toEqual([head, `contents/personas?ref=${commit}`, `contents?ref=${commit}`]);
    await host.forget();
    await writeRepoFile(slug, "README.md", undefined);
    await sync(slug);
    expect(await asked(slug)).toEqual([head]);
    await host.forget();
    await writeRepoFile(slug, ".", undefined);
    await sync(slug);
    expect(await asked(slug)).toEqual([head, "version"]);
  });

  test("1,000 unchanged organizations cost 1,000 in a round, and never more than 16 at a time", async () => {
    await host.set({ dialect });
    const crowded = await startTestApp({ env: { GIT_API_URL: host.apiUrl } });
    const slug = newSlug();
    await writeRepoFile(slug, "personas/developer.md", personaFile("developer"));
    await crowded.client.createOrganization({ body: { slug } });
    await crowded.client.syncOrganization({ params: { organization: slug } });
    // 999 more that read the same repository, as if each had been synchronized like the first.
    await crowded.sql`
      with made as (
        insert into organizations (id, slug, name, agents_repo_owner, agents_repo_name)
        select gen_random_uuid(), ${slug} || '-' || n, '', ${slug}, ${`${slug}-agents`} from generate_series(1, 999) n
        returning id
      )
      insert into agent_syncs (organization_id, status, repository, commit)
      select made.id, status, repository, commit from agent_syncs, made
    `;
    await host.forget();
    await host.fault({ fault: "slow", delay_ms: 5, at: "/commits" });
    const { database, sync } = crowded;
    const { signal } = new AbortController();
    await syncAllAgents({ sql: database.background, sync, log: createLogger("silent"), signal, gapMs: 0, spreadMs: 0 });
    await crowded.close();
    const { requests, in_flight_peak } = await host.requests();
    expect(requests).toHaveLength(1000);
    expect(requests.every(({ status }) => status === 200)).toBe(true);
    expect(in_flight_peak).toBeGreaterThan(1);
    expect(in_flight_peak).toBeLessThanOrEqual(16);
  }, 60_000);
});

test("1,000 personas changed in 40 organizations at once: never more than 16 requests at a time", async () => {
  const slugs = Array.from({ length: 40 }, newSlug);
  await Promise.all(
    slugs.map(async (slug) => {
      await Promise.all(names(25).map((name) => writeRepoFile(slug, `personas/${name}.md`, personaFile(name))));
      await app.client.createOrganization({ body: { slug } });
    }),
  );
  await host.forget();
  await Promise.all(slugs.map(sync));
  const { requests, in_flight_peak } = await host.requests();
  expect(requests).toHaveLength(40 * 27);
  expect(in_flight_peak).toBe(16);
}, 60_000);

test("only 500 personas are read, the rest is refused by name", async () => {
  const slug = newSlug();
  await Promise.all(names(502).map((name) => writeRepoFile(slug, `personas/${name}.md`, personaFile(name))));
  await app.client.createOrganization({ body: { slug } });
  await host.forget();
  const { status, errors } = await sync(slug);
  expect([status, errors.map(({ path }) => path)]).toEqual(["partial", ["personas/p500.md", "personas/p501.md"]]);
  expect(await asked(slug)).toHaveLength(502);
});
