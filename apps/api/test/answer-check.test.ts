// The check itself can fail: each way in which an answer may differ from the document is noticed.
import { describe, expect, test } from "vitest";
import { answerExamples } from "../src/platform/openapi-answer-examples.ts";
import { createAnswerCheck } from "./answer-check.ts";
import { apiDocument } from "./test-app.ts";

const { check, seen } = createAnswerCheck(apiDocument);
const url = "http://api/api/tasks/01a1fc7d-059e-71ce-8b5d-47f2932cc04a";
const task = answerExamples.Task;
const sound = { "content-type": "application/json; charset=utf-8", "x-request-id": "1", etag: '"1"' };

const answer = (body: unknown, { status = 200, ...headers }: Record<string, string | number> = {}): Response =>
  new Response(body === null ? null : JSON.stringify(body), {
    status: Number(status),
    headers: Object.entries({ ...sound, ...headers })
      .filter(([, value]) => value !== "")
      .map(([name, value]): [string, string] => [name, String(value)]),
  });

test("an answer as described passes, and is remembered", async () => {
  await check("GET", url, answer(task));
  expect([...seen]).toEqual(["getTask 200"]);
});

const problem = {
  type: "urn:task-service:problem:conflict",
  title: "Conflict",
  status: 409,
  detail: "",
  code: "conflict",
  request_id: "1",
};
const asProblem = { "content-type": "application/problem+json" };

describe("what differs is refused", () => {
  test.each([
    ["a status", /status is not declared/, answer(problem, { status: 409, ...asProblem })],
    ["a code", /equal to one of the allowed/, answer({ ...problem, status: 404 }, { status: 404, ...asProblem })],
    ["a property too many", /additional properties/, answer({ ...task, failures: 0 })],
    ["a property too few", /required property/, answer({ ...task, prompt: undefined })],
    ["a value", /created_at.*date-time/, answer({ ...task, created_at: "" })],
    ["a value inside", /agent_type/, answer({ ...task, agent_type: {} })],
    ["a media type", /media type is text\/html/, answer(task, { "content-type": "text/html" })],
    ["a header missing", /ETag is missing/, answer(task, { etag: "" })],
    ["a header's value", /ETag.*pattern/, answer(task, { etag: "1" })],
  ])("%s", (_, fault, response) => expect(check("GET", url, response)).rejects.toThrow(fault));

  test("a body where there is none", () =>
    expect(check("GET", "http://api/api/nothing", answer(task))).rejects.toThrow(/status is not declared/));
});
