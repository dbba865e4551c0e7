// How a run keeps its organization (D-31): by signs of life while it reads, by a lock while it writes; and who waits too long.
import type { ServerResponse } from "node:http";
import { expect, test, vi } from "vitest";
import { newSlug, personaFile } from "../../test/factories.ts";
import { useScriptedApp } from "../../test/scripted-app.ts";
import { answerJson } from "../../test/scripted-git-host.ts";
import { untilBlocked } from "../../test/until-blocked.ts";
import { createGitHost } from "../git/git-host-client.ts";
import { createGitHostRequests } from "../git/git-host-requests.ts";
import { createLogger } from "../platform/logger.ts";
import { type AgentSyncOptions, createAgentSync } from "./agent-sync.ts";

const scripted = useScriptedApp();
const patient = { timeout: 5000 };

/** An organization of one persona, of which another version was committed since it was read. */
const startFleet = async () => {
  const slug = newSlug();
  scripted.gitHost.serve({ "personas/developer.md": personaFile("developer") });
  const { id } = await scripted.app.client.createOrganization({ body: { slug } });
  await scripted.app.sync.syncAgents(id);
  scripted.gitHost.serve({ "personas/developer.md": personaFile("Dev") });
  const rowOf = async () => {
    const [row] = await scripted.app.sql<{ holder: string | null; held_until: string; left: number; asked: number }[]>`
      select holder, held_until, extract(epoch from held_until - now())::float8 as left, requested - served as asked
      from agent_syncs where organization_id = ${id}
    `;
    return { holder: row?.holder, heldUntil: Date.parse(row?.held_until ?? ""), left: row?.left, asked: row?.asked };
  };
  return { id, rowOf };
};

/** A replica's synchronization with times of its own. */
const startSync = (options: AgentSyncOptions, sql = scripted.app.database.background) => {
  const requests = createGitHostRequests({ apiUrl: `${scripted.gitHost.url}/api/v1`, readToken: "token" });
  return createAgentSync({ sql, gitHost: createGitHost(requests), log: createLogger("silent") }, options);
};

/** Holds the answers of the git host until the function returned is called. */
const holdAnswers = () => {
  const waiting: ServerResponse[] = [];
  scripted.gitHost.answerWith((_, response) => waiting.push(response) > 0);
  const open = () => {
    scripted.gitHost.answerWith(() => false);
    for (const response of waiting) answerJson(response, {}, 500);
  };
  return { waiting, open };
};

test("a run that takes long gives signs of life", async () => {
  const { id, rowOf } = await startFleet();
  const { waiting, open } = holdAnswers();
  const running = startSync({ holdMs: 1500 }).syncAgents(id);
  await vi.waitFor(() => expect(waiting).toHaveLength(1), patient);
  const { heldUntil } = await rowOf();
  await vi.waitFor(async () => expect((await rowOf()).heldUntil).toBeGreaterThan(heldUntil + 1500), patient);
  open();
  expect(await running).toBe(true);
});

test("a dead run keeps its organization for 60 s, unless told otherwise", async () => {
  const { id, rowOf } = await startFleet();
  const { waiting, open } = holdAnswers();
  const running = scripted.app.sync.syncAgents(id);
  await vi.waitFor(() => expect(waiting).toHaveLength(1), patient);
  const { left } = await rowOf();
  expect(left).toBeGreaterThan(30);
  expect(left).toBeLessThanOrEqual(60);
  open();
  await running;
});

test("nobody can take the organization while what was read is written", async () => {
  const { id } = await startFleet();
  const { sql, sync } = scripted.app;
  let running: Promise<boolean> | undefined;
  await sql.begin(async (transaction) => {
    await transaction`select from agent_types where organization_id = ${id} for update`;
    running = sync.syncAgents(id);
    await untilBlocked(scripted.app);
    expect(await sql`select from agent_syncs where organization_id = ${id} for update skip locked`).toEqual([]);
  });
  expect(await running).toBe(true);
});

test("whoever waits for another's run looks less and less often, and is told when it was given up", async () => {
  const { id, rowOf } = await startFleet();
  const { sql, database } = scripted.app;
  await sql`update agent_syncs set holder = gen_random_uuid(), held_until = now() + interval '1 minute' where organization_id = ${id}`;
  const served = /select from agent_syncs where organization_id = .* and served < /;
  let looks = 0;
  const counting = new Proxy(database.background, {
    apply: (target, self, args) => {
      if (served.test(String(args[0]?.raw?.join("?")))) looks += 1;
      return Reflect.apply(target, self, args);
    },
  });
  expect(await startSync({ giveUpAfterMs: 1500 }, counting).syncAgents(id)).toBe(false);
  expect(await rowOf()).toMatchObject({ asked: 1 });
  // Every 200 ms it would be eight.
  expect(looks).toBeGreaterThan(1);
  expect(looks).toBeLessThanOrEqual(5);
});
