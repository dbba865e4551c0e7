// What a person's lines become: a result, or a task given back with nothing lost of what was written.
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { surroundingsOf } from "../test/cli-call.ts";
import { readResponse } from "./response-lines.ts";
import { runWithin } from "./surroundings.ts";

/** Reads while `typed` is written; `end` closes the input. */
const begin = async (typed: string) => {
  const [interrupted, lost] = [new AbortController(), new AbortController()];
  const { surroundings, stdin } = surroundingsOf({});
  const response = runWithin(surroundings, () => readResponse(interrupted.signal, lost.signal));
  stdin.write(typed);
  while (stdin.readableLength > 0) await turn();
  return { interrupted, lost, stdin, response };
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
