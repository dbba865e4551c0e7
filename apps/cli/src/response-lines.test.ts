// What a person's lines become: a result, or a task given back with nothing lost of what was written.
import type { EventEmitter } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { surroundingsOf } from "../test/cli-call.ts";
import { readResponse } from "./response-lines.ts";
import { runWithin } from "./surroundings.ts";

/** Reads while `typed` is written; `end` closes the input. */
const begin = async (typed: string, { atTerminal = false, terminal = {} } = {}) => {
  const [interrupted, lost] = [new AbortController(), new AbortController()];
  const { surroundings, stdin, printed } = surroundingsOf({});
  if (atTerminal) for (const stream of [stdin, surroundings.stderr]) Object.assign(stream, { isTTY: true });
  Object.assign(stdin, terminal);
  const response = runWithin(surroundings, () => readResponse(interrupted.signal, lost.signal));
  stdin.write(typed);
  while (stdin.readableLength > 0) await turn();
  return { interrupted, lost, stdin, response, printed };
};

test("Ctrl-C gives back and keeps the lines", async () => {
  const { interrupted, response } = await begin("Half of\nit\n");
  interrupted.abort();
  expect(await response).toEqual({ reason: "interrupted", written: "Half of\nit" });
});

test("a task that is lost keeps them too", async () => {
  const { lost, response } = await begin("Half of\nit\n");
  lost.abort();
  expect(await response).toEqual({ result: "Half of\nit" });
});

test("/release has a reason, and what stands above it", async () => {
  const { response } = await begin("Half of it\n/release the tests are red\n");
  expect(await response).toEqual({ reason: "the tests are red", written: "Half of it" });
});

test("the end of the input ends the result, or gives back when there is none", async () => {
  const { stdin, response } = await begin("All of\n");
  stdin.end("it");
  expect(await response).toEqual({ result: "All of\nit" });
  const empty = await begin("\n");
  empty.stdin.end();
  expect(await empty.response).toEqual({ reason: "no result was written", written: "" });
});

describe("at a terminal", () => {
  const typed = "half a sentence\nand half of";
  const written = "half a sentence\nand half of";
  const begins = () => begin(typed, { atTerminal: true });
  /** As node:tty has it of one that is gone. */
  function setRawMode(this: EventEmitter) {
    this.emit("error", new Error("setRawMode EIO"));
  }

  test("what is typed is seen, on standard error", async () => {
    const { interrupted, response, printed } = await begins();
    expect(printed).toMatchObject({ out: "", error: expect.stringMatching(/half a sentence\s+and half of/) });
    interrupted.abort();
    expect(await response).toEqual({ reason: "interrupted", written });
  });

  test("Ctrl-D ends the result", async () => {
    const { stdin, response } = await begin("All of it\n", { atTerminal: true });
    stdin.write("\u0004");
    expect(await response).toEqual({ result: "All of it" });
  });

  test("its end is no end of the result: the task goes back, what was typed is kept", async () => {
    const { stdin, response } = await begins();
    stdin.end();
    expect(await response).toEqual({ reason: "the terminal was closed", written });
  });

  test("one that cannot be read any more is the same, also when Linux says so while its mode is restored", async () => {
    const read = await begins();
    read.stdin.destroy(new Error("read EIO"));
    expect(await read.response).toEqual({ reason: "the terminal was closed", written });
    const restored = await begins();
    Object.assign(restored.stdin, { setRawMode });
    restored.stdin.end();
    expect(await restored.response).toEqual({ reason: "the terminal was closed", written });
  });

  test("one that was closed before anything was read gives the task back", async () => {
    const { response } = await begin("", { atTerminal: true, terminal: { setRawMode } });
    expect(await response).toEqual({ reason: "the terminal was closed", written: "" });
  });
});

test("input that breaks off elsewhere gives back what there was of it", async () => {
  const { stdin, response } = await begin("Half of\n");
  stdin.destroy(new Error("read EIO"));
  expect(await response).toEqual({ reason: "its result could not be read", written: "Half of" });
});
