// A refusal in one sentence: with the field at fault, and nothing said twice.
import { expect, test } from "vitest";
import { problemSentence } from "./failure-report.ts";

const sentenceOf = (detail: string, errors: { pointer: string; detail: string }[]) =>
  problemSentence({
    type: "about:blank",
    title: "Refused",
    status: 422,
    code: "unknown_assignee",
    detail,
    errors,
    request_id: "r1",
  });

test.each([
  [
    "The request is not valid.",
    [{ pointer: "/title", detail: "must not be empty" }],
    "The request is not valid: title must not be empty.",
  ],
  ["Not there.", [{ pointer: "/assignee", detail: "Not there." }], "Not there: assignee."],
  ["title must not be empty", [{ pointer: "/title", detail: "must not be empty" }], "title must not be empty."],
  ["", [], "Refused."],
])("%s", (detail, errors, sentence) => {
  expect(sentenceOf(detail, errors)).toBe(sentence);
});
