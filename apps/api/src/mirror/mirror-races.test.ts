// What is read and what is delivered meets, here and on other replicas: the newest state wins, and a read never undoes a delivery.
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { issueAt, type MirroredApp, startMirroredApp } from "../../test/mirrored-task.ts";
import { answerJson } from "../../test/scripted-git-host.ts";
import { issueBody } from "../../test/scripted-issues.ts";
import { deliverIssue } from "../../test/signed-delivery.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";
import { databaseTime, keyOf } from "./linked-task-queries.ts";
import { ask, settle } from "./question-queries.ts";

let mirrored: MirroredApp;
let replica: TestApp;
beforeAll(async () => {
  mirrored = await startMirroredApp();
  mirrored.issues.now = "2026-08-04T12:00:00.000Z";
  replica = await startTestApp({ beside: mirrored.app, env: { GIT_URL: mirrored.host.url } });
});
afterAll(async () => {
  await replica.close();
  await mirrored.close();
});

const linked = async () => {
  const repository = mirrored.addRepository([issueAt(1, 0)]);
  const task = await mirrored.link(repository, 1);
  await mirrored.shown(task);
  return { repository, task };
};

/** The host's next answer is held until `release`. */
const holdNextRead = (answer: (response: ServerResponse) => void) => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  mirrored.issues.instead = (response) => {
    mirrored.issues.instead = () => false;
    ask();
    void held.then(() => answer(response));
    return true;
  };
  return { asked, release };
};

const readAgain = (full_name: string) => {
  const [owner = "", repo = ""] = full_name.split("/");
  mirrored.app.mirror.linked([{ owner, repo, number: 1 }]);
};

test("a read that is refused does not undo what was delivered on another replica meanwhile", async () => {
  const { repository, task } = await linked();
  const { asked, release } = holdNextRead((response) => answerJson(response, {}, 404));
  readAgain(repository.full_name);
  await asked;
  await deliverIssue(replica, repository, issueAt(1, 5, { title: "Delivered" }));
  await replica.mirror.idle();
  release();
  expect(await mirrored.shown(task)).toMatchObject({ state: "open", title: "Delivered" });
});

test("an answer that is older than what was delivered meanwhile changes nothing", async () => {
  const { repository, task } = await linked();
  const before = issueBody(repository, issueAt(1, 2, { title: "Old answer" }));
  const { asked, release } = holdNextRead((response) => answerJson(response, before));
  readAgain(repository.full_name);
  await asked;
  await deliverIssue(replica, repository, issueAt(1, 5, { title: "Delivered" }));
  await replica.mirror.idle();
  release();
  expect((await mirrored.shown(task))?.title).toBe("Delivered");
});

test("a link that changes while a delivery waits for the task shows nothing of the former issue", async () => {
  const { repository, task } = await linked();
  await mirrored.app.sql.begin(async (transaction) => {
    await transaction`
      update tasks set git_state = null, git_link = jsonb_set(git_link, '{number}', '2') where id = ${task.id}
    `;
    await deliverIssue(mirrored.app, repository, issueAt(1, 9, { title: "Of the former" }));
    await untilBlocked(mirrored.app);
  });
  expect(await mirrored.shown(task)).toBeNull();
});

test("a read that began before a deletion was told does not bring the issue back", async () => {
  const { repository, task } = await linked();
  const before = issueBody(repository, issueAt(1, 0));
  const { asked, release } = holdNextRead((response) => answerJson(response, before));
  readAgain(repository.full_name);
  await asked;
  repository.issues = [];
  await deliverIssue(replica, repository, issueAt(1, 0), "deleted");
  await replica.mirror.idle();
  release();
  expect((await mirrored.shown(task))?.state).toBe("unreadable");
});

test("a read that differs from a delivery of the same second is repeated", async () => {
  const { repository, task } = await linked();
  const before = issueBody(repository, issueAt(1, 5, { title: "Read first" }));
  const { asked, release } = holdNextRead((response) => answerJson(response, before));
  repository.issues = [issueAt(1, 5, { title: "True" })];
  readAgain(repository.full_name);
  await asked;
  await deliverIssue(replica, repository, issueAt(1, 5, { title: "Delivered" }));
  await replica.mirror.idle();
  release();
  expect((await mirrored.shown(task))?.title).toBe("True");
});

test("deliveries that wait for one row, on two replicas, leave the newest; each change has one event", async () => {
  const { repository, task } = await linked();
  await mirrored.app.sql.begin(async (transaction) => {
    await transaction`select from tasks where id = ${task.id} for update`;
    await deliverIssue(mirrored.app, repository, issueAt(1, 9, { title: "Newest" }));
    await untilBlocked(mirrored.app, 1);
    await deliverIssue(replica, repository, issueAt(1, 7, { title: "Older" }));
    await untilBlocked(mirrored.app, 2);
  });
  await replica.mirror.idle();
  expect((await mirrored.shown(task))?.title).toBe("Newest");
  expect((await mirrored.told(task)).map(({ title }) => title)).toEqual(["Newest", "Issue 1"]);
});

test("what was known before a read began is never taken for news that came during it", async () => {
  const { repository, task } = await linked();
  const { sql, mirror } = mirrored.app;
  const [owner = "", repo = ""] = repository.full_name.split("/");
  for (let time = 0; time < 50; time++) {
    mirror.linked([{ owner, repo, number: 1 }]);
    await mirror.idle();
    const begunAt = await databaseTime(sql);
    const [row] =
      await sql`select git_state ->> 'synced_at' < ${begunAt} as is_earlier from tasks where id = ${task.id}`;
    expect(row?.is_earlier).toBe(true);
  }
});

test("what is asked about while a read is under way outlives it", async () => {
  const { sql } = mirrored.app;
  const issue = { owner: "Asked", repo: "About", number: 1 };
  await ask(sql, issue);
  const begunAt = await databaseTime(sql);
  const left = async () => (await sql`select from mirror_questions where owner_key = 'asked'`).length;
  await ask(sql, issue);
  await settle(sql, keyOf(issue), [1, 2], begunAt);
  expect(await left()).toBe(1);
  await settle(sql, keyOf(issue), [1, 2], await databaseTime(sql));
  expect(await left()).toBe(0);
});

test("two replicas that look at once write each change once", async () => {
  const all = await Promise.all(Array.from({ length: 5 }, linked));
  for (const { repository } of all) repository.issues = [issueAt(1, 20, { state: "closed" })];
  await Promise.all([mirrored.app.mirror.look(), replica.mirror.look(), mirrored.app.mirror.look()]);
  for (const { task } of all) {
    expect((await mirrored.shown(task))?.state).toBe("closed");
    expect(await mirrored.told(task)).toHaveLength(2);
  }
});
