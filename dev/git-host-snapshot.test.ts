// What is read at a commit is that commit, whatever happens to the files meanwhile; and heads of many repositories are cheap.
import { mkdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { blobId } from "./git-objects.ts";
import { readSnapshot } from "./git-snapshot.ts";
import { stampOf } from "./git-stamp.ts";
import { type GitHostFixture, startFixture } from "./test/git-host-fixture.ts";

let fixture: GitHostFixture;
beforeEach(async () => {
  fixture = await startFixture({
    files: {
      "acme/acme-agents/README.md": "# Agents\n",
      "acme/acme-agents/personas/dev.md": "dev 1\n",
      "acme/acme-agents/personas/tester.md": "tester 1\n",
    },
  });
});
afterEach(() => fixture.stop());

const repo = "/repos/acme/acme-agents";
const head = async (path = repo): Promise<string> => {
  const { body } = await fixture.get(`${path}/commits?limit=1&stat=false&files=false&verification=false`);
  return (body as { sha: string }[])[0]?.sha ?? "";
};
const list = async (commit: string): Promise<{ name: string; sha: string }[]> =>
  (await fixture.get(`${repo}/contents/personas?ref=${commit}`)).body as { name: string; sha: string }[];
const read = async (name: string, commit: string): Promise<string> => {
  const { body } = await fixture.get(`${repo}/contents/personas/${name}?ref=${commit}`);
  return Buffer.from((body as { content: string }).content, "base64").toString();
};

test("Files that change between head, listing and reads are the old ones at the old commit", async () => {
  const commit = await head();
  await fixture.write("acme/acme-agents/personas/dev.md", "dev 2\n");
  await fixture.write("acme/acme-agents/personas/new.md", "new\n");
  const listing = await list(commit);
  expect(listing.map(({ name }) => name)).toEqual(["dev.md", "tester.md"]);
  await fixture.write("acme/acme-agents/personas/tester.md", undefined);
  expect(await head()).not.toBe(commit);
  for (const { name, sha } of listing) {
    const content = await read(name, commit);
    expect(content).toBe(`${name.slice(0, -3)} 1\n`);
    expect(blobId(Buffer.from(content))).toBe(sha);
  }
  expect((await fixture.get(`${repo}/contents/personas/new.md?ref=${commit}`)).status).toBe(404);
});

test("A commit is remembered however much is asked of other repositories", async () => {
  const commit = await head();
  await fixture.write("acme/acme-agents/personas/dev.md", "dev 2\n");
  for (let other = 0; other < 60; other++) {
    await fixture.write(`other-${other}/agents/README.md`, `${other}\n`);
    await head(`/repos/other-${other}/agents`);
  }
  expect(await read("dev.md", commit)).toBe("dev 1\n");
});

test("The root folder is listed, which proves what is not there", async () => {
  await fixture.write("acme/bare/README.md", "x\n");
  await fixture.write("acme/bare/issues/1.yml", "title: One\n");
  const { status, body } = await fixture.get(`/repos/acme/bare/contents?ref=${await head("/repos/acme/bare")}`);
  expect([status, (body as { name: string }[]).map(({ name }) => name)]).toEqual([200, ["README.md"]]);
});

test("A file that has not changed is not read again; one that has is, whatever it was changed to", async () => {
  const folder = join(fixture.reposDir, "acme/acme-agents");
  const file = join(folder, "personas/dev.md");
  const past = new Date(Date.now() - 60_000);
  await utimes(file, past, past);
  // Its inode tells nothing reliable before it has been left alone for a moment.
  const untilSettled = () => vi.waitUntil(async () => (await stampOf(file)).stamp, { interval: 5 });
  const { ctimeMs } = await stat(file);
  expect((await stampOf(file, ctimeMs + 20)).stamp).toBeUndefined();
  await untilSettled();
  const before = await readSnapshot(folder);
  const again = await readSnapshot(folder, before);
  expect(again?.commit).toBe(before?.commit);
  // The very same bytes, not only equal ones.
  expect(again?.entries.get("personas/dev.md")?.bytes).toBe(before?.entries.get("personas/dev.md")?.bytes);
  // As long as before, and with the time of before.
  await writeFile(file, "DEV 1\n");
  await utimes(file, past, past);
  await untilSettled();
  expect((await readSnapshot(folder, again))?.entries.get("personas/dev.md")?.bytes.toString()).toBe("DEV 1\n");
});

test("Reading with what was known gives what reading anew gives, after any changes, however quick", async () => {
  const folder = join(fixture.reposDir, "any/repo");
  await mkdir(folder, { recursive: true });
  const change = fc.tuple(fc.constantFrom("a", "b", "c/d"), fc.constantFrom("1", "2", "3", undefined));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      let known: Awaited<ReturnType<typeof readSnapshot>>;
      for (const [path, content] of changes) {
        await fixture.write(`any/repo/${path}`, content).catch(() => undefined);
        if (content) await writeFile(join(folder, path), content === "1" ? "9" : "8");
        known = await readSnapshot(folder, known);
        const anew = await readSnapshot(folder);
        expect(known?.commit).toBe(anew?.commit);
      }
    }),
    { numRuns: 50 },
  );
});

test("Names match without regard to case, the exact one first", async () => {
  await fixture.write("acme/Twin/README.md", "Twin\n");
  await fixture.write("acme/twin/README.md", "twin\n");
  const nameOf = async (path: string) => ((await fixture.get(path)).body as { full_name?: string }).full_name;
  expect(await nameOf("/repos/ACME/Acme-Agents")).toBe("acme/acme-agents");
  expect(await nameOf("/repos/acme/twin")).toBe("acme/twin");
  expect(await nameOf("/repos/acme/Twin")).toBe("acme/Twin");
  for (const path of ["/repos/acme/..", "/repos/../acme-agents", "/repos/acme/.saved-0"])
    expect((await fixture.get(path.replaceAll("..", "%2e%2e"))).status).toBe(404);
});
