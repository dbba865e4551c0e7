// Rounds (D-34): what no webhook told is found by a look at each linked repository, by the host's own time.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { issueAt, type MirroredApp, startMirroredApp } from "../../test/mirrored-task.ts";
import type { ScriptedIssue, ScriptedRepository } from "../../test/scripted-issues.ts";
import { deliverIssue } from "../../test/signed-delivery.ts";

let mirrored: MirroredApp;
beforeAll(async () => {
  mirrored = await startMirroredApp();
});
beforeEach(async () => {
  mirrored.issues.refuse = () => undefined;
  mirrored.issues.beforePage = () => {};
  mirrored.issues.now = "2026-08-04T12:00:00.000Z";
  mirrored.issues.maxPage = 50;
  // Each test alone with its repositories.
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

/** What a round asked the host for. */
const look = async (): Promise<string[]> => {
  const before = mirrored.host.requests.length;
  await mirrored.app.mirror.look();
  await mirrored.app.mirror.idle();
  return mirrored.host.requests
    .slice(before)
    .map(({ path }) => decodeURIComponent(path.replace(/^repos\/[^?]*\/issues/, "")));
};

const put = (repository: ScriptedRepository, issue: ScriptedIssue): void => {
  repository.issues = [...repository.issues.filter(({ number }) => number !== issue.number), issue];
};

const readTo = async ({ full_name }: ScriptedRepository): Promise<string | undefined> => {
  const [owner = "", repo = ""] = full_name.toLowerCase().split("/");
  const rows = await mirrored.app.sql<{ read_to: string }[]>`
    select read_to from mirrored_repositories where owner_key = ${owner} and repo_key = ${repo}
  `;
  return rows[0]?.read_to;
};

/** As if what is shown had been confirmed long ago. */
const age = (seconds = 7 * 3600) => mirrored.app.sql`
  update tasks set git_state = git_state || jsonb_build_object('synced_at', instant(now() - make_interval(secs => ${seconds})))
  where git_state is not null
`;

describe("changes", () => {
  test("are found from the time of the first read on, by the host's clock, in one request", async () => {
    const { repository, task } = await linked([issueAt(1, 0)]);
    mirrored.issues.now = "2026-08-04T12:05:00.000Z";
    put(repository, issueAt(1, 250, { state: "closed" }));
    expect(await look()).toEqual(["?state=all&since=2026-08-04T11:59:00.000Z&limit=50&page=1"]);
    expect((await mirrored.shown(task))?.state).toBe("closed");
    expect(await readTo(repository)).toBe("2026-08-04T12:05:00.000Z");
    expect(await look()).toEqual(["?state=all&since=2026-08-04T12:04:00.000Z&limit=50&page=1"]);
    expect(await mirrored.told(task)).toHaveLength(2);
  });

  test("of many are found, however few the host gives at a time", async () => {
    const { repository, task } = await linked([issueAt(1, 0)]);
    mirrored.issues.maxPage = 7;
    for (let number = 2; number <= 30; number++) put(repository, issueAt(number, 5));
    put(repository, issueAt(1, 9, { title: "On the last page" }));
    // Five pages, and the first one again.
    expect(await look()).toHaveLength(6);
    expect((await mirrored.shown(task))?.title).toBe("On the last page");
  });

  test("that a deletion between two pages hid are found by the next look, which begins where this one did", async () => {
    const { repository, tasks } = await linked([1, 2, 3, 4].map((number) => issueAt(number, 5)));
    mirrored.issues.now = "2026-08-04T12:05:00.000Z";
    mirrored.issues.maxPage = 2;
    put(repository, issueAt(2, 8, { title: "Passed over" }));
    // 4 3 on the first page; then 2 moves up, and the second page begins with 1.
    mirrored.issues.beforePage = (page) => {
      if (page === 2) repository.issues = repository.issues.filter(({ number }) => number !== 4);
    };
    const titleOfSecond = async () => (await mirrored.shown(tasks[1] ?? expect.fail()))?.title;
    await look();
    expect([await titleOfSecond(), await readTo(repository)]).toEqual(["Issue 2", "2026-08-04T12:00:00.000Z"]);
    await look();
    expect([await titleOfSecond(), await readTo(repository)]).toEqual(["Passed over", "2026-08-04T12:05:00.000Z"]);
  });

  test("that a deletion hid whose place something else took are found by the next look", async () => {
    const { repository, tasks } = await linked([11, 12, 13, 14].map((number) => issueAt(number, 5)));
    const [, second = expect.fail()] = tasks;
    mirrored.issues.now = "2026-08-04T12:05:00.000Z";
    mirrored.issues.maxPage = 2;
    put(repository, issueAt(12, 8, { title: "Passed over" }));
    // 14 13 on the first page; then 12 moves up, and an old one that changed just now stands at the end: 11 5.
    mirrored.issues.beforePage = (page) => {
      if (page !== 2) return;
      repository.issues = repository.issues.filter(({ number }) => number !== 14);
      put(repository, issueAt(5, 9));
    };
    await look();
    expect((await mirrored.shown(second))?.title).toBe("Issue 12");
    await look();
    expect((await mirrored.shown(second))?.title).toBe("Passed over");
  });

  test("are found though the host's clock was ahead for a while", async () => {
    const { repository, task } = await linked([issueAt(1, 0)]);
    mirrored.issues.now = "2030-01-01T00:00:00.000Z";
    await look();
    expect(await readTo(repository)).toBe("2030-01-01T00:00:00.000Z");
    mirrored.issues.now = "2026-08-04T12:10:00.000Z";
    put(repository, issueAt(1, 250, { title: "While it was ahead" }));
    await look();
    expect(await readTo(repository)).toBe("2026-08-04T12:10:00.000Z");
    expect((await mirrored.shown(task))?.title).toBe("While it was ahead");
    mirrored.issues.now = "2026-08-04T12:15:00.000Z";
    expect(await look()).toEqual(["?state=all&since=2026-08-04T12:09:00.000Z&limit=50&page=1"]);
  });

  test("older than what a webhook told change nothing", async () => {
    const { repository, task } = await linked([issueAt(1, 0)]);
    await deliverIssue(mirrored.app, repository, issueAt(1, 20, { title: "Told" }));
    await mirrored.app.mirror.idle();
    put(repository, issueAt(1, 10, { title: "Of an old copy" }));
    await look();
    expect((await mirrored.shown(task))?.title).toBe("Told");
  });
});

test("a round rewrites no task that nothing happened to", async () => {
  await linked([issueAt(1, -600), issueAt(2, -600)]);
  const versions = () => mirrored.app.sql`select id, xmin::text from tasks where git_link is not null order by id`;
  const before = await versions();
  await look();
  expect(await versions()).toEqual(before);
});

test("deleted issues are noticed: those confirmed longest ago are read again, ten of a repository", async () => {
  const { repository, tasks } = await linked(Array.from({ length: 12 }, (_, index) => issueAt(index + 1, -600)));
  await age();
  repository.issues = repository.issues.filter(({ number }) => number !== 3);
  expect((await look()).filter((path) => path.startsWith("/"))).toHaveLength(10);
  expect((await look()).filter((path) => path.startsWith("/"))).toHaveLength(2);
  const states = await Promise.all(tasks.map(mirrored.shown));
  expect(states.flatMap((state, index) => (state?.state === "unreadable" ? [index + 1] : []))).toEqual([3]);
  expect(states[2]?.title).toBe("Issue 3");
  expect((await look()).filter((path) => path.startsWith("/"))).toEqual([]);
});

test("a task that was linked before there was a mirror is read", async () => {
  const { task } = await linked([issueAt(1, 0)]);
  await mirrored.app.sql`update tasks set git_state = null where id = ${task.id}`;
  await mirrored.app.sql`delete from mirrored_repositories`;
  expect(await look()).toEqual(["?state=all&limit=1&page=1", "/1"]);
  expect((await mirrored.shown(task))?.title).toBe("Issue 1");
});

test("what a delivery told of a repository that could not be read yet is read with the first look", async () => {
  mirrored.issues.refuse = () => 500;
  const { repository, task } = await linked([issueAt(1, -600, { title: "Newest" })]);
  await deliverIssue(mirrored.app, repository, issueAt(1, -900, { title: "Older" }));
  expect((await mirrored.shown(task))?.title).toBe("Older");
  mirrored.issues.refuse = () => undefined;
  await look();
  expect((await mirrored.shown(task))?.title).toBe("Newest");
});

test.each([403, 404])(
  "a repository that answers %i makes its issues unreadable, and all are read when it is back",
  async (status) => {
    const { repository, tasks } = await linked([issueAt(1, -600), issueAt(2, -600)]);
    mirrored.issues.refuse = () => status;
    expect(await look()).toHaveLength(1);
    expect(await Promise.all(tasks.map(mirrored.shown))).toEqual([
      expect.objectContaining({ state: "unreadable", title: "Issue 1" }),
      expect.objectContaining({ state: "unreadable", title: "Issue 2" }),
    ]);
    await look();
    mirrored.issues.refuse = () => undefined;
    expect(await look()).toHaveLength(3);
    const states = await Promise.all(tasks.map(mirrored.shown));
    expect(states.map((state) => state?.state)).toEqual(["open", "open"]);
    expect(await mirrored.told(tasks[0] ?? expect.fail())).toHaveLength(3);
    expect(repository.issues).toHaveLength(2);
  },
);

test.each([401, 429, 500])(
  "%i changes nothing, and the next look begins where the last whole one did",
  async (status) => {
    const { repository, task } = await linked([issueAt(1, 0)]);
    mirrored.issues.now = "2026-08-04T12:05:00.000Z";
    put(repository, issueAt(1, 9, { title: "Changed" }));
    mirrored.issues.refuse = () => status;
    await look();
    expect((await mirrored.shown(task))?.title).toBe("Issue 1");
    expect(await readTo(repository)).toBe("2026-08-04T12:00:00.000Z");
    const [row] = await mirrored.app.sql`select failure from mirrored_repositories where failure is not null`;
    expect(row?.failure).toContain(String(status));
    mirrored.issues.refuse = () => undefined;
    await look();
    expect((await mirrored.shown(task))?.title).toBe("Changed");
  },
);

test("one issue that the host cannot answer for holds up no other", async () => {
  const { repository, tasks } = await linked([issueAt(1, -600), issueAt(2, -600), issueAt(3, -600)]);
  await age();
  repository.issues = repository.issues.filter(({ number }) => number === 1);
  mirrored.issues.refuse = (path) => (path.endsWith("/2") ? 500 : undefined);
  await look();
  const states = await Promise.all(tasks.map(mirrored.shown));
  expect(states.map((state) => state?.state)).toEqual(["open", "open", "unreadable"]);
});

test("a repository that nobody links to any more is not read, and forgotten", async () => {
  const { task } = await linked([issueAt(1, 0)]);
  await mirrored.app.client.deleteTask({ params: { id: task.id }, headers: {} });
  expect(await look()).toEqual([]);
  expect(await mirrored.app.sql`select from mirrored_repositories`).toHaveLength(0);
});
