// A link made now is read now (D-34), behind the answer, whatever made it and whatever the host answers.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { issueAt, type MirroredApp, startMirroredApp } from "../../test/mirrored-task.ts";
import { readMessage } from "../../test/signed-delivery.ts";

let mirrored: MirroredApp;
beforeAll(async () => {
  mirrored = await startMirroredApp();
});
beforeEach(() => {
  mirrored.issues.refuse = () => undefined;
});
afterAll(() => mirrored.close());

const urlOf = (repository: { full_name: string }, number: number) =>
  `${mirrored.host.url}/${repository.full_name}/issues/${number}`;

test("an issue shows what it is, and a pull request too, whatever the link calls it", async () => {
  const repository = mirrored.addRepository([
    issueAt(1, 5, { labels: ["kind/bug"], updated_at: "2026-08-04T14:00:05+02:00" }),
    issueAt(2, 6, { state: "closed", pull: { merged: true, draft: false } }),
    issueAt(3, 7, { pull: { merged: false, draft: true } }),
  ]);
  const tasks = [];
  for (const number of [1, 2, 3]) tasks.push(await mirrored.link(repository, number));
  expect(tasks.map(({ git_state }) => git_state)).toEqual([null, null, null]);
  const base = `${mirrored.host.url}/${repository.full_name}`;
  expect(await Promise.all(tasks.map(mirrored.shown))).toEqual([
    {
      kind: "issue",
      state: "open",
      draft: false,
      title: "Issue 1",
      labels: ["kind/bug"],
      html_url: `${base}/issues/1`,
      updated_at: "2026-08-04T12:00:05.000Z",
    },
    expect.objectContaining({ kind: "pull_request", state: "merged", html_url: `${base}/pulls/2` }),
    expect.objectContaining({ kind: "pull_request", state: "open", draft: true }),
  ]);
});

test("neither version nor time of change moves, and the history tells of it once", async () => {
  const repository = mirrored.addRepository([issueAt(1, 5)]);
  const task = await mirrored.link(repository, 1);
  await mirrored.shown(task);
  const { git_state, ...now } = await mirrored.app.client.getTask({ params: { id: task.id } });
  expect({ ...now, git_state: null }).toEqual(task);
  expect(Date.parse(git_state?.synced_at ?? "")).toBeGreaterThan(Date.now() - 60_000);
  expect(await mirrored.told(task)).toEqual([expect.objectContaining({ state: "open", previous_state: null })]);
});

describe("it is read after", () => {
  test("many creates at once, each issue once", async () => {
    const repository = mirrored.addRepository([issueAt(1, 1), issueAt(2, 2)]);
    const { slug } = mirrored.fleet.organization;
    const base = { prompt: "Do it", organization: slug };
    const asked = mirrored.host.requests.length;
    const { items } = await mirrored.app.client.createTasks({
      body: { tasks: [1, 2, 1, 2].map((number) => ({ ...base, git_link: urlOf(repository, number) })) },
    });
    const states = await Promise.all(items.map(mirrored.shown));
    expect(states.map((state) => state?.title)).toEqual(["Issue 1", "Issue 2", "Issue 1", "Issue 2"]);
    expect(mirrored.host.requests.length - asked).toBe(2);
  });

  test("a follow-up, a change of the link, and one in a batch; another link forgets what was shown", async () => {
    const repository = mirrored.addRepository([issueAt(1, 1), issueAt(2, 2), issueAt(3, 3)]);
    const { client } = mirrored.app;
    const parent = await mirrored.link(repository, 1);
    const { slug } = mirrored.fleet.organization;
    const child = await client.createTask({
      body: { prompt: "Then", organization: slug, parent_id: parent.id, git_link: urlOf(repository, 2) },
    });
    expect((await mirrored.shown(child))?.title).toBe("Issue 2");
    const changed = await client.updateTask({
      params: { id: child.id },
      body: { git_link: urlOf(repository, 3) },
      headers: {},
    });
    expect(changed.git_state).toBeNull();
    expect((await mirrored.shown(child))?.title).toBe("Issue 3");
    await client.changeTasks({ body: { ids: [child.id, parent.id], patch: { git_link: urlOf(repository, 2) } } });
    expect((await mirrored.shown(parent))?.title).toBe("Issue 2");
    await client.updateTask({ params: { id: child.id }, body: { git_link: null }, headers: {} });
    expect(await mirrored.shown(child)).toBeNull();
  });
});

test.each([403, 404])(
  "an issue that the host answers %i for is unreadable, and a later read replaces that",
  async (status) => {
    const repository = mirrored.addRepository([issueAt(1, 1)]);
    mirrored.issues.refuse = () => status;
    const task = await mirrored.link(repository, 1, "pulls");
    expect(await mirrored.shown(task)).toEqual({
      kind: "pull_request",
      state: "unreadable",
      draft: false,
      title: "",
      labels: [],
      html_url: `${mirrored.host.url}/${repository.full_name}/pulls/1`,
      updated_at: null,
    });
    mirrored.issues.refuse = () => undefined;
    mirrored.app.mirror.linked([{ owner: "ACME", repo: repository.full_name.split("/")[1] ?? "", number: 1 }]);
    expect((await mirrored.shown(task))?.state).toBe("open");
  },
);

test.each([401, 429, 500, 503])("%i tells nothing: the next round reads it", async (status) => {
  const repository = mirrored.addRepository([issueAt(1, 1)]);
  mirrored.issues.refuse = () => status;
  const task = await mirrored.link(repository, 1);
  expect(await mirrored.shown(task)).toBeNull();
  await mirrored.app.mirror.look();
  expect(await mirrored.shown(task)).toBeNull();
  mirrored.issues.refuse = () => undefined;
  await mirrored.app.mirror.look();
  expect((await mirrored.shown(task))?.state).toBe("open");
});

test("the caller does not wait for a host that is silent, and a link that changed meanwhile is left alone", async () => {
  const repository = mirrored.addRepository([issueAt(1, 1)]);
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  mirrored.host.answerWith((_, response) => {
    ask();
    void held.then(() => response.end(readMessage("issue.json").toString().replace('"number":17', '"number":1')));
    return true;
  });
  try {
    const task = await mirrored.link(repository, 1);
    await asked;
    await mirrored.app.client.updateTask({ params: { id: task.id }, body: { git_link: null }, headers: {} });
    release();
    expect(await mirrored.shown(task)).toBeNull();
    expect(await mirrored.told(task)).toEqual([]);
  } finally {
    release();
  }
});
