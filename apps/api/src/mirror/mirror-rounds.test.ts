// Rounds of the mirror: what no webhook told is found, whatever fails on the way, until it is stopped.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { issueAt, type MirroredApp, startMirroredApp } from "../../test/mirrored-task.ts";
import { createLogger } from "../platform/logger.ts";
import { startRounds } from "../platform/round-schedule.ts";

let mirrored: MirroredApp;
beforeAll(async () => {
  mirrored = await startMirroredApp();
});
beforeEach(async () => {
  mirrored.issues.refuse = () => undefined;
  mirrored.issues.now = "2026-08-04T12:00:00.000Z";
  await mirrored.app.sql`update tasks set git_link = null, git_state = null`;
});
afterAll(() => mirrored.close());

const linked = async () => {
  const repository = mirrored.addRepository([issueAt(1, 0)]);
  const task = await mirrored.link(repository, 1);
  await mirrored.app.mirror.idle();
  return { repository, task };
};
const looks = () => mirrored.host.requests.filter(({ path }) => path.includes("since=")).length;

test("a round finds what no webhook told, and once it is stopped nothing is held, and nothing asked", async () => {
  const { repository, task } = await linked();
  repository.issues = [issueAt(1, 5, { state: "closed" })];
  const { mirror, database, sql } = mirrored.app;
  const background = { sql: database.background, log: createLogger("silent") };
  const start = () => startRounds(background, { name: "mirror", intervalSeconds: 300, work: mirror.look });
  const stop = start();
  await vi.waitFor(async () => expect((await mirrored.shown(task))?.state).toBe("closed"), { timeout: 5000 });
  expect(looks()).toBe(1);
  await stop();
  const holder = async () => (await sql`select holder from rounds where name = 'mirror'`)[0]?.holder;
  expect(await holder()).toBeNull();

  // Stopped in the middle: what is asked for is still answered, and nothing follows.
  for (let count = 0; count < 10; count++) await linked();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  mirrored.issues.instead = (response) => {
    ask();
    void held.then(() => response.end("[]"));
    return true;
  };
  try {
    const stopAgain = start();
    await asked;
    const stopped = stopAgain();
    release();
    await stopped;
    expect(looks()).toBeLessThanOrEqual(1 + 4);
    expect(await holder()).toBeNull();
  } finally {
    mirrored.issues.instead = () => false;
  }
});

test("a repository that cannot even be noted as failed stops no other", async () => {
  const { repository } = await linked();
  const others = await Promise.all([linked(), linked(), linked()]);
  for (const other of others) other.repository.issues = [issueAt(1, 5, { title: "Changed" })];
  const name = repository.full_name.toLowerCase();
  mirrored.issues.refuse = (path) => (path.toLowerCase().includes(name) ? 500 : undefined);
  await mirrored.app.sql.begin(async (transaction) => {
    await transaction`select from mirrored_repositories where owner_key || '/' || repo_key = ${name} for update`;
    await mirrored.app.mirror.look();
  });
  for (const { task } of others) expect((await mirrored.shown(task))?.title).toBe("Changed");
}, 20_000);

test("a closed mirror takes no delivery and says nothing of it", async () => {
  const lines: string[] = [];
  const mirror = mirrored.mirrorWith({ log: createLogger("info", { write: (line) => void lines.push(line) }) });
  const { repository, task } = await linked();
  const [owner = "", repo = ""] = repository.full_name.split("/");
  await mirror.close();
  const { labels = [], ...issue } = issueAt(1, 9, { title: "Late" });
  const host = { owner, repo, id: repository.id };
  const fields = { ...issue, labels, kind: "issue", draft: false, repository: host } as const;
  mirror.deliver({ repository: host, issue: fields, isDeleted: false });
  await mirror.look();
  await mirror.idle();
  expect([lines, (await mirrored.shown(task))?.title]).toEqual([[], "Issue 1"]);
});
