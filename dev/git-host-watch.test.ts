// What is told of things that go, and of those that come back.
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchRepositories } from "./git-host-watch.ts";
import { gitIssues } from "./git-issues.ts";
import { gitRepositories } from "./git-repository.ts";
import { type Delivery, type GitHostFixture, startFixture } from "./test/git-host-fixture.ts";

const zeroCommit = "0".repeat(40);
// `git commit-tree` over the empty tree gave this.
const emptiedCommit = "64d09f5f4ec6c247196aaabe228bd6294a67b9f0";

let fixture: GitHostFixture;
beforeEach(async () => {
  fixture = await startFixture({
    isHooked: true,
    files: { "acme/agents/personas/dev.md": "dev\n", "acme/agents/issues/7.yml": "title: Seven\n" },
  });
});
afterEach(() => fixture.stop());

const headNow = async (): Promise<string | undefined> => {
  const { body } = await fixture.get("/repos/acme/agents/commits?limit=1");
  return (body as { sha: string }[])[0]?.sha;
};
const told = ({ payload: { action, ref, number } }: Delivery): unknown => action ?? { ref, number };

/** Puts what stands at `from` below the folder of repositories elsewhere, in one stroke. */
const move = (from: string, to: string): Promise<void> =>
  rename(join(fixture.reposDir, from), join(fixture.reposDir, to));

test("An issue that was removed is opened again only by a file that can be read", async () => {
  const file = "acme/agents/issues/7.yml";
  await fixture.write(file, undefined);
  await fixture.delivered(1);
  await fixture.write(file, "title: [\n");
  await vi.waitFor(() => expect(fixture.complaints).toHaveLength(1), { timeout: 3000 });
  expect((await fixture.get("/repos/acme/agents/issues/7")).status).toBe(404);
  await fixture.write(file, "title: Another\n");
  const deliveries = await fixture.delivered(2);
  expect(deliveries.map(told)).toEqual(["deleted", "opened"]);
  expect(deliveries[1]?.payload["issue"]).toMatchObject({ title: "Another" });
});

test("The removal of the last file is a push, which the next one follows", async () => {
  const before = await headNow();
  await fixture.write("acme/agents/personas", undefined);
  const [emptied] = await fixture.delivered(1);
  expect(emptied?.payload).toMatchObject({
    ref: "refs/heads/main",
    before,
    after: emptiedCommit,
    commits: [{ id: emptiedCommit, added: [], removed: ["personas/dev.md"], modified: [] }],
    repository: { full_name: "acme/agents", default_branch: "main", empty: true },
  });
  expect((await fixture.get("/repos/acme/agents/commits?limit=1")).status).toBe(409);
  await fixture.write("acme/agents/issues/7.yml", "title: Sept\n");
  expect((await fixture.delivered(2))[1]?.payload).toMatchObject({ action: "edited", repository: { empty: true } });
  await fixture.write("acme/agents/README.md", "# Agents\n");
  expect((await fixture.delivered(3))[2]?.payload).toMatchObject({
    before: emptiedCommit,
    after: await headNow(),
    commits: [{ added: ["README.md"], removed: [], modified: [] }],
    repository: { empty: false },
  });
});

test("A repository that was removed is a new one when it comes back, whatever it holds", async () => {
  const commit = await headNow();
  await move("acme/agents", ".agents");
  await fixture.write("acme/other/README.md", "# Other\n");
  expect((await fixture.delivered(1))[0]?.payload).toMatchObject({ repository: { name: "other" } });
  await fixture.write(".agents/issues/7.yml", "title: [\n");
  await fixture.write(".agents/issues/8.yml", "title: Eight\n");
  await move(".agents", "acme/agents");
  const [, push, opened] = await fixture.delivered(3);
  expect(push?.payload).toMatchObject({ before: zeroCommit, after: commit });
  expect(opened?.payload).toMatchObject({ action: "opened", number: 8 });
});

test("A repository that goes while it is looked at tells of nothing", async () => {
  const repositories = gitRepositories(fixture.reposDir);
  const listed = await repositories.list();
  const happenings: unknown[] = [];
  const watching = await watchRepositories({
    folder: fixture.reposDir,
    list: async () => [...listed, ...(await repositories.list())],
    repositories,
    issues: gitIssues(() => undefined),
    onHappening: ({ state }) => happenings.push(state.repository.name),
  });
  happenings.length = 0;
  await move("acme/agents", ".agents");
  await fixture.write("acme/other/README.md", "# Other\n");
  await vi.waitFor(() => expect(happenings).toContain("other"), { timeout: 3000 });
  watching.stop();
  expect(happenings).toEqual(["other"]);
});
