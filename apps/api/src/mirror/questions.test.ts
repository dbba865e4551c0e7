// What only a read can settle is asked until one has (D-34), whatever fails on the way.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { issueAt, type MirroredApp, startMirroredApp } from "../../test/mirrored-task.ts";
import type { ScriptedIssue } from "../../test/scripted-issues.ts";
import { deliverIssue } from "../../test/signed-delivery.ts";
import { untilBlocked } from "../../test/until-blocked.ts";

let mirrored: MirroredApp;
beforeAll(async () => {
  mirrored = await startMirroredApp();
});
beforeEach(async () => {
  mirrored.issues.refuse = () => undefined;
  // Long after all that changes: no list tells of it.
  mirrored.issues.now = "2026-08-05T00:00:00.000Z";
  await mirrored.app.sql`update tasks set git_link = null, git_state = null`;
});
afterAll(() => mirrored.close());

const linked = async (issues: ScriptedIssue[], numbers = issues.map(({ number }) => number)) => {
  const repository = mirrored.addRepository(issues);
  const tasks = [];
  for (const number of numbers) tasks.push(await mirrored.link(repository, number));
  await mirrored.app.mirror.idle();
  const [task] = tasks;
  if (!task) throw new Error("nothing was linked");
  return { repository, tasks, task };
};

const look = async (): Promise<void> => {
  await mirrored.app.mirror.look();
  await mirrored.app.mirror.idle();
};
const questions = () => mirrored.app.sql`select number from mirror_questions`;
const isSingle = (path: string): boolean => /issues\/\d+$/.test(path);

test("a question whose read failed is asked by the next round, and then no more", async () => {
  const { repository, task } = await linked([issueAt(1, 6, { labels: ["true"] })]);
  mirrored.issues.refuse = () => 500;
  await deliverIssue(mirrored.app, repository, issueAt(1, 6, { labels: ["false"] }));
  await deliverIssue(mirrored.app, repository, issueAt(1, 7, { labels: ["false"] }));
  await deliverIssue(mirrored.app, repository, issueAt(1, 7, { labels: ["other"] }));
  await mirrored.shown(task);
  expect(await questions()).toEqual([{ number: 1 }]);
  repository.issues = [issueAt(1, 7, { labels: ["true"] })];
  mirrored.issues.refuse = () => undefined;
  await look();
  expect((await mirrored.shown(task))?.labels).toEqual(["true"]);
  expect(await questions()).toEqual([]);
});

test("an old delivery over an unreadable issue changes nothing; the host is asked", async () => {
  const { repository, task } = await linked([issueAt(1, 5, { title: "Last known" })]);
  repository.issues = [];
  await deliverIssue(mirrored.app, repository, issueAt(1, 5, { title: "Last known" }), "deleted");
  expect(await mirrored.shown(task)).toMatchObject({ state: "unreadable" });
  mirrored.issues.refuse = () => 500;
  await deliverIssue(mirrored.app, repository, issueAt(1, 4, { title: "Replayed" }));
  expect(await mirrored.shown(task)).toMatchObject({ state: "unreadable", title: "Last known" });
  expect(await questions()).toEqual([{ number: 1 }]);
  await deliverIssue(mirrored.app, repository, issueAt(1, 5, { title: "Not older" }));
  expect(await mirrored.shown(task)).toMatchObject({ state: "open", title: "Not older" });
  mirrored.issues.refuse = () => undefined;
  await look();
  expect(await mirrored.shown(task)).toMatchObject({ state: "unreadable", title: "Not older" });
});

test("a task that somebody holds does not keep a delivery from the others, and is read once it is free", async () => {
  const { repository, tasks } = await linked([issueAt(1, 5)], [1, 1, 1]);
  repository.issues = [issueAt(1, 9, { title: "Told" })];
  const [held, ...others] = tasks;
  if (!held) throw new Error("nothing was linked");
  const titles = (all: typeof tasks) => Promise.all(all.map(async (task) => (await mirrored.shown(task))?.title));
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const { promise: looked, resolve: release } = Promise.withResolvers<void>();
  const holding = mirrored.app.sql.begin(async (transaction) => {
    await transaction`select from tasks where id = ${held.id} for update`;
    lock();
    await looked;
  });
  try {
    await locked;
    await deliverIssue(mirrored.app, repository, issueAt(1, 9, { title: "Told" }));
    await untilBlocked(mirrored.app);
    expect(await titles(others)).toEqual(["Told", "Told"]);
  } finally {
    release();
    await holding;
  }
  expect(await titles([held])).toEqual(["Issue 1"]);
  await look();
  expect(await titles(tasks)).toEqual(["Told", "Told", "Told"]);
  expect(await questions()).toEqual([]);
}, 20_000);

test("three issues that the host never answers for starve neither the rest nor those to be confirmed", async () => {
  const { tasks } = await linked([1, 2, 3, 4, 5].map((number) => issueAt(number, 5)));
  const [, , , fourth, fifth] = tasks;
  await mirrored.app.sql`update tasks set git_state = null where (git_link ->> 'number')::int <= 4`;
  await mirrored.app.sql`
    update tasks set git_state = git_state || '{"synced_at": "2020-01-01T00:00:00.000Z"}' where git_state is not null
  `;
  mirrored.issues.refuse = (path) => (/issues\/[123]$/.test(path) ? 500 : undefined);
  const begin = mirrored.host.requests.length;
  await look();
  expect(mirrored.host.requests.slice(begin).filter(({ path }) => path.endsWith("issues/5"))).toHaveLength(1);
  expect(await mirrored.shown(fifth ?? expect.fail())).not.toBeNull();
  await vi.waitFor(
    async () => {
      await look();
      expect(await mirrored.shown(fourth ?? expect.fail())).not.toBeNull();
    },
    { timeout: 5000 },
  );
});

test("a repository that is back while its issues cannot be read is read by the next look", async () => {
  const { tasks } = await linked([issueAt(1, 5), issueAt(2, 5)]);
  const states = () => Promise.all(tasks.map(async (task) => (await mirrored.shown(task))?.state));
  mirrored.issues.refuse = () => 404;
  await look();
  expect(await states()).toEqual(["unreadable", "unreadable"]);
  mirrored.issues.refuse = (path) => (isSingle(path) ? 500 : undefined);
  await look();
  mirrored.issues.refuse = () => undefined;
  await look();
  expect(await states()).toEqual(["open", "open"]);
});

test("an issue that was refused while no round looked is read again by the next one", async () => {
  const { repository } = await linked([issueAt(1, 5), issueAt(2, 5)], [1]);
  mirrored.issues.refuse = () => 404;
  const task = await mirrored.link(repository, 2);
  expect((await mirrored.shown(task))?.state).toBe("unreadable");
  mirrored.issues.refuse = () => undefined;
  await look();
  expect((await mirrored.shown(task))?.state).toBe("open");
});

test("what was delivered before a first look whose reads fail is read by the second one", async () => {
  mirrored.issues.refuse = () => 500;
  const { repository, task } = await linked([issueAt(1, 9, { title: "Newest" })]);
  await deliverIssue(mirrored.app, repository, issueAt(1, 5, { title: "Older" }));
  expect((await mirrored.shown(task))?.title).toBe("Older");
  mirrored.issues.refuse = (path) => (isSingle(path) ? 500 : undefined);
  await look();
  mirrored.issues.refuse = () => undefined;
  await look();
  expect((await mirrored.shown(task))?.title).toBe("Newest");
});

test("a link that is read first of its repository has what was delivered before read as well", async () => {
  mirrored.issues.refuse = () => 500;
  const { repository, task } = await linked([issueAt(1, 9, { title: "Newest" }), issueAt(2, 9)], [1]);
  await deliverIssue(mirrored.app, repository, issueAt(1, 5, { title: "Older" }));
  await mirrored.shown(task);
  mirrored.issues.refuse = () => undefined;
  await mirrored.shown(await mirrored.link(repository, 2));
  await look();
  expect((await mirrored.shown(task))?.title).toBe("Newest");
});
