// A reader that stands still: what waits for it is bounded, and what it misses is told.
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createTerminalOutput } from "./terminal-output.ts";

const line = "x".repeat(1_023);

test("no more than a bound waits for it, and it is told how many lines it misses once it reads again", async () => {
  const stream = new PassThrough({ highWaterMark: 1 });
  const print = createTerminalOutput(stream, 10 * 1_024);
  for (let at = 0; at < 10_000; at++) print(line);
  expect(stream.writableLength).toBeLessThan(12 * 1_024);
  const read = text(stream);
  await expect.poll(() => stream.writableLength, { timeout: 5000 }).toBe(0);
  print("the last one");
  stream.end();
  const lines = (await read).trimEnd().split("\n");
  expect(lines.filter((one) => one === line).length).toBeLessThan(13);
  expect(lines.slice(-2)).toEqual([expect.stringMatching(/^… 9\d{3} lines not shown$/), "the last one"]);
});

test("a reader that keeps up misses nothing", async () => {
  const stream = new PassThrough();
  const read = text(stream);
  const print = createTerminalOutput(stream);
  for (let at = 0; at < 100; at++) print(line);
  stream.end();
  expect((await read).split("\n")).toHaveLength(101);
});
