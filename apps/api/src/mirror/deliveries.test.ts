// Deliveries of issues and pull requests (D-33, D-34): believed from their payload, in any order, any number of times.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { issueAt, type MirroredApp, startMirroredApp } from "../../test/mirrored-task.ts";
import type { ScriptedIssue, ScriptedRepository } from "../../test/scripted-issues.ts";
import { deliver, deliverIssue, deliverMessage } from "../../test/signed-delivery.ts";
import { untilBlocked } from "../../test/until-blocked.ts";

let mirrored: MirroredApp;
beforeAll(async () => {
  mirrored = await startMirroredApp();
});
beforeEach(() => {
  mirrored.issues.refuse = () => undefined;
  mirrored.issues.now = "2026-08-05T00:00:00.000Z";
});
afterAll(() => mirrored.close());

const send = async (repository: ScriptedRepository, issue: ScriptedIssue, action?: string): Promise<void> => {
  expect((await deliverIssue(mirrored.app, repository, issue, action)).status).toBe(202);
};

/** A task whose issue the host answered for once with `issue`. */
const linked = async (issue: ScriptedIssue) => {
  const repository = mirrored.addRepository([issue]);
  const task = await mirrored.link(repository, issue.number);
  await mirrored.shown(task);
  return { repository, task };
};

describe("the messages of a real host", () => {
  const messages = ["issues-opened.json", "issues-closed.json", "pull_request-opened.json", "pull_request-merged.json"];

  test.each([
    ["in order", messages],
    ["in reverse", messages.toReversed()],
    ["repeated", [...messages, ...messages]],
  ])("%s end in what the host shows", async (_, order) => {
    const own = await startMirroredApp();
    try {
      own.issues.refuse = () => 500;
      const issue = await own.link({ full_name: "acme/webshop" }, 17);
      const pull = await own.link({ full_name: "ACME/WebShop" }, 18, "pulls");
      await own.app.mirror.idle();
      for (const name of order) {
        expect((await deliverMessage(own.app, name)).status).toBe(202);
        await own.app.mirror.idle();
      }
      expect(await own.shown(issue)).toEqual({
        kind: "issue",
        state: "closed",
        draft: false,
        title: "Cart total is NaN for an empty cart",
        labels: ["kind/bug"],
        html_url: `${own.host.url}/acme/webshop/issues/17`,
        updated_at: "2026-08-04T14:02:33.000Z",
      });
      expect(await own.shown(pull)).toMatchObject({
        kind: "pull_request",
        state: "merged",
        html_url: `${own.host.url}/acme/webshop/pulls/18`,
        updated_at: "2026-08-04T14:02:32.000Z",
      });
    } finally {
      await own.close();
    }
  });
});

test("an older delivery changes nothing, nor does the same one again", async () => {
  const { repository, task } = await linked(issueAt(1, 5));
  await send(repository, issueAt(1, 9, { state: "closed" }));
  await send(repository, issueAt(1, 7, { title: "Late" }));
  await send(repository, issueAt(1, 9, { state: "closed" }));
  expect(await mirrored.shown(task)).toMatchObject({ state: "closed", title: "Issue 1" });
  expect(await mirrored.told(task)).toEqual([
    expect.objectContaining({ state: "closed", previous_state: "open" }),
    expect.objectContaining({ state: "open", previous_state: null }),
  ]);
});

test("of two that differ within a second, the host says which is true", async () => {
  const { repository, task } = await linked(issueAt(1, 5));
  const [issue] = repository.issues;
  Object.assign(issue ?? {}, issueAt(1, 6, { labels: ["true"] }));
  await send(repository, issueAt(1, 6));
  await mirrored.app.mirror.idle();
  await send(repository, issueAt(1, 6, { labels: ["false"] }));
  expect((await mirrored.shown(task))?.labels).toEqual(["true"]);
});

test("a deleted issue is unreadable at once and stays so, whatever arrives late; what it was stays in sight", async () => {
  const { repository, task } = await linked(issueAt(1, 5, { title: "To be deleted" }));
  const gone = repository.issues.pop() ?? issueAt(1, 5);
  await send(repository, gone, "deleted");
  expect(await mirrored.shown(task)).toMatchObject({ state: "unreadable", title: "To be deleted" });
  await send(repository, issueAt(1, 4));
  expect(await mirrored.shown(task)).toMatchObject({ state: "unreadable" });
});

test("a deletion that the host knows nothing of is put right", async () => {
  const { repository, task } = await linked(issueAt(1, 5));
  await send(repository, issueAt(1, 5), "deleted");
  expect(await mirrored.shown(task)).toMatchObject({ state: "open" });
});

test("what our token may not read is believed from its delivery, and stays so", async () => {
  const repository = mirrored.addRepository([]);
  mirrored.issues.refuse = () => 404;
  const task = await mirrored.link(repository, 1);
  expect((await mirrored.shown(task))?.state).toBe("unreadable");
  await mirrored.app.mirror.look();
  await send(repository, issueAt(1, 5));
  expect((await mirrored.shown(task))?.state).toBe("open");
  await mirrored.app.mirror.look();
  expect((await mirrored.shown(task))?.state).toBe("open");
});

test("a renamed repository's deliveries reach tasks linked by its old name and by its new one", async () => {
  const { repository, task } = await linked(issueAt(1, 5));
  const renamed = { ...repository, full_name: `acme/renamed-${repository.id}` };
  mirrored.issues.repositories.set(renamed.full_name, renamed);
  const other = await mirrored.link(renamed, 1);
  await mirrored.shown(other);
  await send(renamed, issueAt(1, 8, { title: "Told by its new name" }));
  const html_url = `${mirrored.host.url}/${renamed.full_name}/issues/1`;
  expect(await mirrored.shown(task)).toMatchObject({ title: "Told by its new name", html_url });
  expect(await mirrored.shown(other)).toMatchObject({ title: "Told by its new name", html_url });
});

test("another repository's delivery under the same name is not believed", async () => {
  const { repository, task } = await linked(issueAt(1, 5));
  await send({ ...repository, id: 7 }, issueAt(1, 9, { title: "Of another repository" }));
  expect(await mirrored.shown(task)).toMatchObject({ title: "Issue 1" });
});

test.each([
  ["null", null],
  ["nothing", {}],
  ["no issue", { issue: null, repository: { id: 1, full_name: "a/b" } }],
  ["an issue without a number", { issue: { title: "", state: "open" }, repository: { id: 1, full_name: "a/b" } }],
  ["a state of its own", { issue: { number: 1, title: "", state: "new" }, repository: { id: 1, full_name: "a/b" } }],
  ["odd names", { issue: { number: 1, title: "", state: "open" }, repository: { id: 1, full_name: "a/../b" } }],
])("%s under a right signature is 202 and ignored", async (_, payload) => {
  for (const event of ["issues", "pull_request"])
    expect((await deliver(mirrored.app, event, payload)).status).toBe(202);
});

test("text that PostgreSQL cannot hold, and far too much of it, is cut to what can be shown", async () => {
  const { repository, task } = await linked(issueAt(1, 5));
  await send(repository, issueAt(1, 6, { title: `a\0b\ud800${"x".repeat(100_000)}`, labels: ["\0"] }));
  const shown = await mirrored.shown(task);
  expect([shown?.title.slice(0, 4), shown?.title.length, shown?.labels]).toEqual(["ab\ufffdx", 999, [""]]);
});

test("500 at once are all taken, and the newest one wins", async () => {
  const { repository, task } = await linked(issueAt(1, 0));
  const seconds = Array.from({ length: 500 }, (_, second) => second + 1);
  await Promise.all(seconds.map((second) => send(repository, issueAt(1, second, { title: `At ${second}` }))));
  expect((await mirrored.shown(task))?.title).toBe("At 500");
});

describe("deliveries that wait for their turn", () => {
  /** All arrive while the first one waits for the task. */
  const sendBehind = async (task: { id: string }, repository: ScriptedRepository, issues: ScriptedIssue[]) => {
    await mirrored.app.sql.begin(async (transaction) => {
      await transaction`select from tasks where id = ${task.id} for update`;
      await send(repository, issueAt(1, 6, { title: "First" }));
      await untilBlocked(mirrored.app);
      for (const issue of issues) await send(repository, issue);
    });
  };

  test("of one issue are one: the newest", async () => {
    const { repository, task } = await linked(issueAt(1, 5));
    const titles = ["One", "Two", "Newest", "Older"];
    const issues = [7, 8, 11, 9].map((second, index) => issueAt(1, second, { title: titles[index] ?? "" }));
    await sendBehind(task, repository, issues);
    expect((await mirrored.shown(task))?.title).toBe("Newest");
    expect((await mirrored.told(task)).map(({ title }) => title)).toEqual(["Newest", "First", "Issue 1"]);
  });

  test("and differ within a second have the host asked", async () => {
    const { repository, task } = await linked(issueAt(1, 5));
    repository.issues = [issueAt(1, 9, { labels: ["true"] })];
    const issues = [issueAt(1, 9, { labels: ["true"] }), issueAt(1, 9, { labels: ["false"] })];
    await sendBehind(task, repository, issues);
    expect((await mirrored.shown(task))?.labels).toEqual(["true"]);
  });
});
