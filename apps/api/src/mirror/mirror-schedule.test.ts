// Rounds of the mirror: one replica at a time, until it is stopped.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { issueAt, type MirroredApp, startMirroredApp } from "../../test/mirrored-task.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { createLogger } from "../platform/logger.ts";
import { startMirrorSchedule } from "./mirror-schedule.ts";

let mirrored: MirroredApp;
let replica: TestApp;
beforeAll(async () => {
  mirrored = await startMirroredApp();
  replica = await startTestApp({ beside: mirrored.app, env: { GIT_URL: mirrored.host.url } });
});
afterAll(async () => {
  await replica.close();
  await mirrored.close();
});

test("of two replicas one does the round, which finds what no webhook told, and nothing is asked after the end", async () => {
  mirrored.issues.now = "2026-08-04T12:00:00.000Z";
  const repository = mirrored.addRepository([issueAt(1, 0)]);
  const task = await mirrored.link(repository, 1);
  await mirrored.shown(task);
  repository.issues = [issueAt(1, 5, { state: "closed" })];
  const log = createLogger("silent");
  const stops = [mirrored.app, replica].map(({ mirror, database }) =>
    startMirrorSchedule({ sql: database.background, mirror, intervalSeconds: 300, log }),
  );
  await vi.waitFor(async () => expect((await mirrored.shown(task))?.state).toBe("closed"), { timeout: 5000 });
  const lists = mirrored.host.requests.filter(({ path }) => path.includes("since="));
  expect(lists).toHaveLength(1);
  await Promise.all(stops.map((stop) => stop()));
  const [round] = await mirrored.app.sql`select holder from rounds where name = 'mirror'`;
  expect(round?.holder).toBeNull();
});
