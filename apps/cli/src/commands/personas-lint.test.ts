// `task-service personas lint`: what it prints, its exit codes, and that it stays inside the checkout.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { callCli } from "../../test/cli-call.ts";

const root = join(import.meta.dirname, "../../../..");
const head = "---\nname: Dev\ndescription: Writes code\n---\n";
const sections = "## Role\n## Responsibilities\n## Out of scope\n## Workflow\n## Output\n";
const good = head + sections;

let checkout: string;

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), "personas-lint-"));
});

afterEach(() => rm(checkout, { recursive: true, force: true }));

const write = async (files: Record<string, string | Buffer>): Promise<void> => {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(checkout, path)), { recursive: true });
    await writeFile(join(checkout, path), content);
  }
};

const run = async (file: string, args: readonly string[], cwd = checkout) => {
  const { npm_config_local_prefix: _, ...env } = process.env;
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, out, error };
};

const taskService = (...args: string[]) => callCli(args, {}, "", checkout);
const lint = (...args: string[]) => taskService("personas", "lint", ...args);

describe("a checkout", () => {
  test("without a finding ends with 0", async () => {
    await write({ "personas/developer.md": good, "personas/README.md": "# Ours", "README.md": "# Us" });
    expect(await lint(checkout)).toEqual({ code: 0, out: "1 persona, 0 errors, 0 warnings\n", error: "" });
  });

  test("with warnings alone ends with 0", async () => {
    await write({
      "personas/developer.md": head.replace("name", "model: x\nname") + sections.replace("## Role\n", ""),
    });
    expect(await lint(checkout)).toEqual({
      code: 0,
      out: [
        "personas/developer.md: warning: The section “Role” is missing: add a heading `## Role`.",
        "personas/developer.md:2: warning: `model` is ignored: it belongs to the executor, not to the persona. Remove it.",
        "1 persona, 0 errors, 2 warnings\n",
      ].join("\n"),
      error: "",
    });
  });

  test("with errors ends with 1; every finding has a line, by path and line", async () => {
    await write({
      "personas/tester.md": "---\nname: a\nname: b\n---\n",
      "personas/a-good-one.md": good,
      "personas/Developer.md": good,
      "personas/planner.md": `---\ntools: x\nname: 7\ndescription: 8\n---\n`,
      "personas/deep/reviewer.md": good,
      "personas/huge.md": good + "x".repeat(256 * 1024),
      "personas/latin.md": Buffer.from(`${good}é`, "latin1"),
    });
    const { code, out } = await lint(checkout);
    const lines = out.trimEnd().split("\n");
    expect([code, lines.at(-1)]).toEqual([1, "1 persona, 7 errors, 0 warnings"]);
    expect(lines.slice(0, -1).map((line) => line.split(" ")[0])).toEqual([
      "personas/Developer.md:",
      "personas/deep:",
      "personas/huge.md:",
      "personas/latin.md:10:",
      "personas/planner.md:3:",
      "personas/planner.md:4:",
      "personas/tester.md:3:",
    ]);
  });

  test("may be named by its folder personas, absolutely, relatively, and through a link to it", async () => {
    await write({ "personas/Tester.md": good });
    const linked = `${checkout}-link`;
    await symlink(checkout, linked);
    try {
      const answers = await Promise.all(
        [checkout, ".", "personas", "personas/", join(checkout, "personas"), linked].map((folder) => lint(folder)),
      );
      for (const { code, out } of answers) expect([code, out]).toEqual([1, expect.stringMatching(/^personas\/Tester/)]);
    } finally {
      await rm(linked);
    }
  });

  test("may itself be called personas, and a folder personas inside the other is reported", async () => {
    await write({ "personas/personas/Tester.md": good });
    expect((await lint("personas")).out).toMatch(/^personas\/personas: error/);
    await write({ "personas/.git/HEAD": "ref: refs/heads/main\n" });
    expect((await lint("personas")).out).toMatch(/^personas\/Tester.md: error/);
  });

  test("without any persona has nothing wrong", async () => {
    await write({ "personas/.gitkeep": "" });
    expect(await lint(checkout)).toMatchObject({ code: 0, out: "0 personas, 0 errors, 0 warnings\n" });
  });

  test("of the sample organization is without errors and warnings", async () => {
    const { code, out } = await lint(join(root, "examples/repos/acme/acme-agents"));
    expect([code, out]).toEqual([0, expect.stringMatching(/^\d+ personas, 0 errors, 0 warnings\n$/)]);
  });
});

describe("links", () => {
  test("are reported and not followed, whatever they lead to", async () => {
    await write({ "elsewhere/secret.md": "the secret" });
    await write({ "personas/developer.md": good });
    await symlink("../elsewhere/secret.md", join(checkout, "personas/out.md"));
    await symlink("developer.md", join(checkout, "personas/inside.md"));
    await symlink("nowhere", join(checkout, "personas/broken.md"));
    const { code, out, error } = await lint(checkout);
    expect([code, out.match(/symbolic link/g)?.length, out + error]).toEqual([
      1,
      3,
      expect.not.stringContaining("secret "),
    ]);
  });

  test.each(["dir", "file"])("in place of the folder are refused, to a %s", async (kind) => {
    await write({ "elsewhere/Tester.md": good });
    await symlink(kind === "dir" ? "elsewhere" : "elsewhere/Tester.md", join(checkout, "personas"));
    for (const folder of [checkout, ...(kind === "dir" ? ["personas"] : [])]) {
      expect(await lint(folder)).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^personas: error: .*plain folder/),
      });
    }
  });
});

test("--json prints personas, errors and warnings as the API has them", async () => {
  await write({ "personas/developer.md": head, "personas/b.md": "---\nname: a\n---\n", "personas/A.md": good });
  const { code, out } = await lint("--json", checkout);
  const { personas, errors, warnings } = JSON.parse(out);
  expect([code, personas, warnings.length]).toEqual([
    1,
    [{ slug: "developer", name: "Dev", description: "Writes code" }],
    5,
  ]);
  expect(errors).toEqual([
    { path: "personas/A.md", line: null, detail: expect.any(String) },
    { path: "personas/b.md", line: 1, detail: expect.any(String) },
  ]);
});

test("names cannot begin a line of their own or steer the terminal", async () => {
  await write({ "personas/a\n::error::b\u001b[31m.md": good });
  const { out } = await lint(checkout);
  expect(out.split("\n")).toHaveLength(3);
  expect(out).not.toContain("\u001b");
});

test("a name that is not UTF-8 is refused like any other", async () => {
  await write({ "personas/developer.md": good });
  await writeFile(
    Buffer.concat([Buffer.from(join(checkout, "personas/caf")), Buffer.from([0xe9, 0x2e, 0x6d, 0x64])]),
    good,
  );
  expect(await lint(checkout)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/The file name has .*\n1 persona, 1 error/),
  });
});

describe("ends with 2 and says why", () => {
  test.each<[string, string[], RegExp]>([
    ["no folder of that name", ["missing"], /^There is no folder missing\.\n$/],
    ["a file", ["file.md"], /^There is no folder file\.md\.\n$/],
    ["no folder personas", ["."], /^There is nothing to check: \. has no folder `personas`\.\n$/],
    ["no folder named", [], /missing required argument 'dir'/],
    ["two folders", [".", ".."], /too many arguments/],
    ["an option that is none", [".", "--fix"], /unknown option '--fix'/],
  ])("%s", async (_, args, message) => {
    await write({ "file.md": good });
    expect(await lint(...args)).toEqual({ code: 2, out: "", error: expect.stringMatching(message) });
  });

  test("another command", async () => {
    expect((await taskService("personas", "lnt")).error).toMatch(/unknown command 'lnt'/);
    expect((await taskService("lint", ".")).error).toMatch(/unknown command 'lint'/);
    const ends = await Promise.all([[], ["personas"], ["lint", "."]].map((args) => taskService(...args)));
    expect(ends.map(({ code }) => code)).toEqual([2, 2, 2]);
    expect((await taskService("personas")).error).toContain("lint [options] <dir>");
  });
});

test("--help prints all commands, or one", async () => {
  expect(await taskService("--help")).toEqual({ code: 0, out: expect.stringContaining("personas"), error: "" });
  expect(await lint("--help")).toEqual({ code: 0, out: expect.stringContaining("--json"), error: "" });
});

test("`npm run task-service` takes paths from where it was called", async () => {
  await write({ "ours/personas/Tester.md": good });
  const { code, out } = await run("npm", [
    "--prefix",
    root,
    "run",
    "--silent",
    "task-service",
    "--",
    "personas",
    "lint",
    "ours",
  ]);
  expect([code, out]).toEqual([1, expect.stringMatching(/^personas\/Tester.md: error/)]);
});
