// Names of repositories on the host (D-34): they move, and others take them; tasks show the issue of the one that has it now.
import type { Task } from "@task-service/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { issueAt, type MirroredApp, startMirroredApp } from "../../test/mirrored-task.ts";

let mirrored: MirroredApp;
beforeAll(async () => {
  mirrored = await startMirroredApp();
});
beforeEach(() => mirrored.app.sql`update tasks set git_link = null, git_state = null`);
afterAll(() => mirrored.close());

const age = () => mirrored.app.sql`
  update tasks set git_state = git_state || '{"synced_at": "2020-01-01T00:00:00.000Z"}' where git_state is not null
`;

const look = async (): Promise<void> => {
  await mirrored.app.mirror.look();
  await mirrored.app.mirror.idle();
};

/** Three tasks, whose repository's name is another's by now. */
const linkedToFormer = async () => {
  const repository = mirrored.addRepository([1, 2, 3].map((number) => issueAt(number, 5)));
  const tasks: Task[] = [];
  for (const number of [1, 2, 3]) tasks.push(await mirrored.link(repository, number));
  await mirrored.app.mirror.idle();
  const other = { ...repository, id: repository.id + 5000, issues: [issueAt(1, -900, { title: "Another" })] };
  mirrored.issues.repositories.set(repository.full_name.toLowerCase(), other);
  await age();
  const shown = async () => {
    const all = await Promise.all(tasks.map(mirrored.shown));
    return all.map((state) => state && [state.state, state.title]);
  };
  return { tasks, shown };
};

const ofAnother = [
  ["open", "Another"],
  ["unreadable", ""],
  ["unreadable", ""],
];

test("another repository that took the name is read anew, older or not; the history tells of what was forgotten", async () => {
  const { tasks, shown } = await linkedToFormer();
  await look();
  await look();
  expect(await shown()).toEqual(ofAnother);
  const [first = expect.fail()] = tasks;
  expect(await mirrored.told(first)).toEqual([
    expect.objectContaining({ state: "open", previous_state: null, title: "Another" }),
    { kind: "issue", state: null, previous_state: "open" },
    expect.objectContaining({ state: "open", previous_state: null, title: "Issue 1" }),
  ]);
});

test("a task that is held while its former issue is forgotten is not left with it", async () => {
  const { tasks, shown } = await linkedToFormer();
  await mirrored.app.sql.begin(async (transaction) => {
    await transaction`select from tasks where id = ${tasks[0]?.id ?? ""} for update`;
    await look();
  });
  await look();
  await look();
  expect(await shown()).toEqual(ofAnother);
}, 20_000);

test("a renamed repository is followed by its old name, and its address is the new one", async () => {
  mirrored.issues.now = "2026-08-04T12:00:00.000Z";
  const repository = mirrored.addRepository([issueAt(1, 0)]);
  const task = await mirrored.link(repository, 1);
  await mirrored.app.mirror.idle();
  repository.full_name = `moved/renamed-${repository.id}`;
  mirrored.issues.repositories.set(repository.full_name, repository);
  repository.issues = [issueAt(1, 5, { title: "After the move" })];
  await look();
  const html_url = `${mirrored.host.url}/${repository.full_name}/issues/1`;
  expect(await mirrored.shown(task)).toMatchObject({ title: "After the move", html_url });
});
