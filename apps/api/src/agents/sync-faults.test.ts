// Synchronization on a git host's bad days (D-30, D-31): what is not certain changes nothing. Its table is docs/sync-faults.md.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Sync } from "@task-service/contract";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { newSlug, personaFile, removeRepo, writeRepoFile } from "../../test/factories.ts";
import { type FaultSwitch, switchesOf } from "../../test/git-host-switches.ts";
import { type ScriptedGitHost, startScriptedGitHost } from "../../test/scripted-git-host.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

const dialects = ["gitea", "forgejo"] as const;
const host = switchesOf(newSlug());
let app: TestApp;
/** A replica that soon gives up: the other must not do so because the machine is busy. */
let hurried: TestApp;
let elsewhere: ScriptedGitHost;
beforeAll(async () => {
  const env = { GIT_API_URL: host.apiUrl };
  app = await startTestApp({ env, gitHost: { maxAnswerBytes: 64 * 1024 } });
  hurried = await startTestApp({ env, gitHost: { timeoutMs: 300 }, beside: app });
  elsewhere = await startScriptedGitHost();
});
afterEach(() => host.reset());
afterAll(async () => {
  await hurried.close();
  await app.close();
  await elsewhere.stop();
});

const sync = (organization: string, by = app): Promise<Sync> =>
  by.client.syncOrganization({ params: { organization } });
const fleetOf = async (organization: string): Promise<string[]> =>
  (await app.client.listAgentTypes({ query: { organization } })).items.map(
    ({ slug, name, is_active }) => `${slug}: ${name}, ${is_active ? "active" : "inactive"}`,
  );
const asBefore = ["developer: developer, active", "reviewer: reviewer, active"];
const asTheRepository = ["developer: Dev, active", "reviewer: reviewer, inactive", "tester: tester, active"];

/** An organization whose personas were read once; since, one was edited, one removed and one added. */
const startFleet = async (): Promise<string> => {
  const slug = newSlug();
  const write = (name: string, text: string | undefined) => writeRepoFile(slug, `personas/${name}.md`, text);
  await Promise.all(["developer", "reviewer"].map((name) => write(name, personaFile(name))));
  await app.client.createOrganization({ body: { slug } });
  await sync(slug);
  await write("developer", personaFile("Dev"));
  await write("reviewer", undefined);
  await write("tester", personaFile("tester"));
  return slug;
};

const content = personaFile("Dev");
const file = (change: object) => ({
  fault: "answer" as const,
  body: {
    type: "file",
    encoding: "base64",
    size: Buffer.byteLength(content),
    sha: "0".repeat(40),
    content: Buffer.from(content).toString("base64"),
    ...change,
  },
});
const entry = { name: "developer.md", type: "file", sha: "0".repeat(40), size: 1 };
const status = (code: number) => ({ fault: "status" as const, status: code });

type Fault = FaultSwitch extends infer One ? (One extends unknown ? Omit<One, "at"> : never) : never;
const stages = { "the head commit": "/commits\\?", "the listing": "/contents/personas\\?", "a file": "developer\\.md" };
type Stage = keyof typeof stages;
const everyStage = Object.keys(stages) as Stage[];

/** What the host does, at which requests, and what `sync.message` says of it. */
const faults: [does: string, () => Fault, says: string | string[], Stage[]?][] = [
  ["refuses the read token", () => status(401), "read token (401)"],
  ["forbids", () => status(403), "(403)"],
  ["says it does not exist", () => status(404), ["lists personas, yet", "(404)"], ["the listing", "a file"]],
  ["asks for fewer requests", () => status(429), "(429)"],
  ["has a fault of its own", () => status(500), "answered 500"],
  ["is overloaded", () => status(503), "answered 503"],
  ["never answers", () => ({ fault: "stall" }), "within 0.3 s"],
  ["begins to answer and never ends", () => ({ fault: "begin-and-stall" }), "within 0.3 s"],
  ["hangs up", () => ({ fault: "drop" }), "cannot be reached"],
  ["is cut off in its answer", () => ({ fault: "cut-off" }), "cannot be reached"],
  ["answers half a document", () => ({ fault: "half-json" }), "not JSON"],
  ["answers a page for people", () => ({ fault: "html" }), "not JSON"],
  ["redirects to another host", () => ({ fault: "redirect", to: `${elsewhere.url}/api/v1/x` }), "another place"],
  ["redirects out of its API", () => ({ fault: "redirect", to: "/admin" }), "another place"],
  ["redirects in circles", () => ({ fault: "redirect" }), "too often"],
  ["redirects nowhere", () => ({ fault: "redirect", to: "http://[" }), "another place"],
  ["names no commit", () => ({ fault: "answer", body: [{ sha: "main" }] }), "no commit", ["the head commit"]],
  ["has no commit to name", () => ({ fault: "answer", body: [] }), "no commit", ["the head commit"]],
  [
    "answers something else",
    () => ({ fault: "answer", body: { sha: "x" } }),
    ["names no commit", "not a folder's listing", "not a file's content"],
  ],
  [
    "lists something else",
    () => ({ fault: "answer", body: [{ name: "developer.md" }] }),
    ["not a folder's listing", "not a file's content"],
    ["the listing", "a file"],
  ],
  ["lists nothing", () => ({ fault: "answer", body: [] }), "lists personas, yet", ["the listing"]],
  ["lists null", () => ({ fault: "answer", body: null }), "lists personas, yet", ["the listing"]],
  [
    "lists a name twice",
    () => ({ fault: "answer", body: [entry, { ...entry, sha: "1".repeat(40) }] }),
    "not a folder's listing",
    ["the listing"],
  ],
  [
    "answers 409, as for an empty repository",
    () => status(409),
    "does not say that the repository is empty",
    ["the head commit"],
  ],
  ["answers far more than there is", () => ({ fault: "answer", body: ["x".repeat(100_000)] }), "too large"],
  ["gives an empty file where there is more", () => file({ content: "" }), "not the whole file", ["a file"]],
  ["cuts the file short", () => file({ content: "LS0tCm5hbWU" }), "not the whole file", ["a file"]],
  ["gives another file than it says", () => file({}), "not the whole file", ["a file"]],
  ["says the file is larger than it is", () => file({ size: 9999 }), "not the whole file", ["a file"]],
  ["leaves the content out", () => file({ encoding: null, content: null }), "not a file's content", ["a file"]],
  ["gives a link", () => file({ type: "symlink", content: null, target: "/x" }), "not a file's content", ["a file"]],
];

const fault = (what: Fault, stage: Stage) => host.fault({ ...what, at: stages[stage] } as FaultSwitch);

describe.each(dialects)("a git host (%s) that", (dialect) => {
  test.each(faults)(
    "%s: failed, nothing changes, and all is well afterwards",
    async (_, what, says, at = everyStage) => {
      await host.set({ dialect });
      for (const [index, stage] of at.entries()) {
        const slug = await startFleet();
        await fault(what(), stage);
        const failed = {
          status: "failed",
          commit: null,
          message: expect.stringContaining([says].flat()[index] ?? String(says)),
        };
        const asked = what().fault.endsWith("stall") ? hurried : app;
        expect(await sync(slug, asked), stage).toMatchObject(failed);
        expect(await fleetOf(slug), stage).toEqual(asBefore);
        await host.fault();
        expect(await sync(slug), stage).toMatchObject({ status: "ok", message: null });
        expect(await fleetOf(slug), stage).toEqual(asTheRepository);
      }
      expect(elsewhere.requests).toEqual([]);
    },
  );
});

const allInactive = ["developer: developer, inactive", "reviewer: reviewer, inactive"];
const removeRepository = async (slug: string) => {
  await removeRepo(slug);
  return sync(slug);
};
/** Empties it, but for files that are not personas. */
const keepOnly = async (slug: string, files: Record<string, string>) => {
  await removeRepo(slug);
  for (const [path, text] of Object.entries(files)) await writeRepoFile(slug, path, text);
  await mkdir(join(inject("reposDir"), slug, `${slug}-agents`), { recursive: true });
  return sync(slug);
};
const refuseWrites = (organizationId: string, isRefusing: boolean) =>
  isRefusing
    ? app.sql.unsafe(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
        create trigger refuse before insert or update on agent_types for each row
        when (new.organization_id = '${organizationId}') execute function refuse()`)
    : app.sql.unsafe("drop function refuse cascade");
const idOf = async (slug: string) => (await app.client.getOrganization({ params: { organization: slug } })).id;

/** What happens, what `sync.status` says then, what becomes of the agent types in words and in fact. */
const conditions: [happens: string, Sync["status"], becomes: string, string[], (slug: string) => Promise<Sync>][] = [
  ["the repository is not there", "not_configured", "as before, with a warning", asBefore, removeRepository],
  [
    "the repository was not there at any synchronization for 15 minutes",
    "not_configured",
    "inactive",
    allInactive,
    async (slug) => {
      await removeRepository(slug);
      await app.sql`update agent_syncs set missing_since = now() - interval '15 minutes' where organization_id = ${await idOf(slug)}`;
      return sync(slug);
    },
  ],
  [
    "the repository is not there, and the host refuses the token",
    "failed",
    "as before",
    asBefore,
    async (slug) => {
      await host.fault({ ...status(401), at: "^version" });
      return removeRepository(slug);
    },
  ],
  ["the repository is empty", "ok", "inactive", allInactive, (slug) => keepOnly(slug, {})],
  ["it has no folder `personas`", "ok", "inactive", allInactive, (slug) => keepOnly(slug, { "README.md": "x" })],
  ["`personas` is a file", "failed", "as before", asBefore, (slug) => keepOnly(slug, { personas: "x" })],
  [
    "the commit, or the permission to read it, is gone before its files are read",
    "failed",
    "as before",
    asBefore,
    async (slug) => {
      await host.fault({ ...status(404), at: "/contents" });
      return sync(slug);
    },
  ],
  [
    "the repository was renamed",
    "ok",
    "as the repository",
    asTheRepository,
    async (slug) => {
      await switchesOf(slug).set({ renames: { [`${slug}-agents`]: `${slug}/renamed-agents` } });
      return sync(slug);
    },
  ],
  [
    "files change while they are read",
    "ok",
    "as the repository was at that commit",
    asTheRepository,
    async (slug) => {
      await fault({ fault: "hold" }, "a file");
      const running = sync(slug);
      const isHeld = ({ path }: { path: string }) => path.includes("developer.md");
      await vi.waitFor(async () => expect((await host.requests()).requests.some(isHeld)).toBe(true), { timeout: 5000 });
      await writeRepoFile(slug, "personas/developer.md", personaFile("Later"));
      await writeRepoFile(slug, "personas/tester.md", undefined);
      await host.fault();
      return running;
    },
  ],
  [
    "one persona cannot be read",
    "partial",
    "that one as before, the others as the repository",
    ["developer: developer, active", ...asTheRepository.slice(1)],
    async (slug) => {
      await writeRepoFile(slug, "personas/developer.md", "no frontmatter");
      return sync(slug);
    },
  ],
  [
    "what was read cannot be written",
    "failed",
    "as before",
    asBefore,
    async (slug) => {
      const id = await idOf(slug);
      await refuseWrites(id, true);
      return sync(slug).finally(() => refuseWrites(id, false));
    },
  ],
];

describe.each(dialects)("when (%s)", (dialect) => {
  test.each(conditions)("%s: %s", async (_, says, __, fleet, happen) => {
    const slug = await startFleet();
    await host.set({ dialect });
    await host.forget();
    expect(await happen(slug)).toMatchObject({ status: says });
    expect(await fleetOf(slug)).toEqual(fleet);
  });
});

const table = (heading: readonly string[], rows: readonly string[][]): string =>
  [heading, heading.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const page = `# What becomes of the agent types when the git host has a bad day

Written by \`apps/api/src/agents/sync-faults.test.ts\`, which makes each of these happen against a git host that speaks like Gitea and
one that speaks like Forgejo, to an organization of which one persona was edited, one removed and one added since it was read last.

## Faults

Each is \`failed\`: **every agent type stays as it was**, and the first synchronization after the fault makes all as in the repository.

${table(
  ["the host", "when asked for", "`sync.message` says"],
  faults.map(([does, , says, at]) => [does, at?.join(", ") ?? "anything", [says].flat().join("; ")]),
)}

## Conditions

${table(
  ["what happens", "`sync.status`", "the agent types are"],
  conditions.map(([happens, says, becomes]) => [happens, `\`${says}\``, becomes]),
)}
`;

test("docs/sync-faults.md says all this", async () => {
  await expect(page).toMatchFileSnapshot("../../../../docs/sync-faults.md");
});
