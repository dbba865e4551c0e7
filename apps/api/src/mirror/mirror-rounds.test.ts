// Rounds of the mirror: what no webhook told is found, until it is stopped.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { issueAt, type MirroredApp, startMirroredApp } from "../../test/mirrored-task.ts";
import { createLogger } from "../platform/logger.ts";
import { startRounds } from "../platform/round-schedule.ts";

let mirrored: MirroredApp;
beforeAll(async () => {
  mirrored = await startMirroredApp();
});
afterAll(() => mirrored.close());

test("a round finds what no webhook told, and leaves nothing held when it is stopped", async () => {
  mirrored.issues.now = "2026-08-04T12:00:00.000Z";
  const repository = mirrored.addRepository([issueAt(1, 0)]);
  const task = await mirrored.link(repository, 1);
  await mirrored.shown(task);
  repository.issues = [issueAt(1, 5, { state: "closed" })];
  const { mirror, database, sql } = mirrored.app;
  const background = { sql: database.background, log: createLogger("silent") };
  const stop = startRounds(background, { name: "mirror", intervalSeconds: 300, work: mirror.look });
  await vi.waitFor(async () => expect((await mirrored.shown(task))?.state).toBe("closed"), { timeout: 5000 });
  expect(mirrored.host.requests.filter(({ path }) => path.includes("since="))).toHaveLength(1);
  await stop();
  const [round] = await sql`select holder from rounds where name = 'mirror'`;
  expect(round?.holder).toBeNull();
});
