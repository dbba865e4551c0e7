// What a worker prints: harmless at the terminal, whole in its file, and no fault of the worker when the disk is full.
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { handoffOf } from "../test/handoff-factory.ts";
import { openWorkerLog } from "./worker-log.ts";
import { readLines } from "./worker-output.ts";

const setUp = async () => {
  const directory = await mkdtemp(join(tmpdir(), "executor-test-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const handoff = handoffOf();
  const printed: string[] = [];
  const logged: string[] = [];
  const print = (_: string, line: string) => void printed.push(line.replace(/^\[.{6}\] /, ""));
  const open = (where: string | undefined) =>
    openWorkerLog(handoff, where, { print, log: (line) => logged.push(line) });
  return { directory, file: join(directory, `${handoff.task.id}-1.log`), handoff, printed, logged, open };
};

test("what steers a terminal is shown there, and kept as it was in the file", async () => {
  const { directory, file, printed, open } = await setUp();
  const log = open(directory);
  log.print("stdout", "\u001b]52;c;ZXZpbA==\u0007\u202e\u009b2J");
  log.print("stderr", "\u001b[31mred");
  log.close();
  expect(printed).toEqual([String.raw`\u{1b}]52;c;ZXZpbA==\u{7}\u{202e}\u{9b}2J`, "\u001b[31mred\u001b[0m"]);
  expect(await readFile(file, "utf8")).toBe("\u001b]52;c;ZXZpbA==\u0007\u202e\u009b2J\n\u001b[31mred\n");
});

test("a sequence in two pieces is none", async () => {
  const { printed, open } = await setUp();
  const log = open(undefined);
  const tooLong = "x".repeat(20_000);
  await readLines(Readable.from(["a\u001b", "]52;c;x\u0007\n", `${tooLong}\u001b[`, "2J"]), (line) =>
    log.print("stdout", line),
  );
  expect(printed).toEqual([String.raw`a\u{1b}]52;c;x\u{7}`, String.raw`${tooLong}\u{1b}[`, "2J"]);
});

test.runIf(existsSync("/dev/full"))("a full disk is said once, and output goes on to terminal and result", async () => {
  const { directory, file, handoff, printed, logged, open } = await setUp();
  await symlink("/dev/full", file);
  const log = open(directory);
  for (const line of ["one", "two", "three"]) log.print("stdout", line);
  expect(log.lastLines()).toBe("one\ntwo\nthree");
  log.close();
  expect(printed).toEqual(["one", "two", "three"]);
  expect(logged).toEqual([expect.stringMatching(`^keeps no more output of ${handoff.task.id}: ENOSPC`)]);
});

test("a file that cannot be made is said, and the output goes on", async () => {
  const { directory, printed, logged, open } = await setUp();
  const log = open(join(directory, "missing"));
  log.print("stdout", "one");
  log.close();
  expect(printed).toEqual(["one"]);
  expect(logged).toEqual([expect.stringContaining("ENOENT")]);
});
