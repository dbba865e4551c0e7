// One line per change of condition, and the line says what to do about it.
import { ProblemError, problemCodes, UnexpectedAnswerError } from "@task-service/contract";
import { expect, test } from "vitest";
import { CredentialsError } from "./credentials.ts";
import { createServiceCondition } from "./service-condition.ts";

const problemError = (
  code: "not_a_member" | "stale_signal" | "unauthenticated" | "database_unavailable",
  detail: string,
) => new ProblemError({ type: "about:blank", ...problemCodes[code], code, detail, request_id: "r" });

const refused = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:1") });

test.each([
  [refused, "the task service cannot be reached: connect ECONNREFUSED 127.0.0.1:1; trying again"],
  [
    problemError("not_a_member", "executor is not in «g»"),
    "not a member of the group: executor is not in «g»; trying again",
  ],
  [problemError("unauthenticated", "expired"), "the task service refuses the token: expired; trying again"],
  [problemError("stale_signal", "a higher one"), expect.stringContaining("or the clock was set back: a higher one")],
  [new UnexpectedAnswerError(502, "http://t/x"), expect.stringContaining("http://t/x answered 502")],
  [new CredentialsError("invalid_client"), "no access token: invalid_client; trying again"],
])("%s", (error, line) => {
  const lines: string[] = [];
  createServiceCondition((one) => lines.push(one)).failed(error);
  expect(lines).toEqual([line]);
});

test("a condition is told when it begins, when another takes its place, and when it is over", () => {
  const lines: string[] = [];
  const { failed, reached } = createServiceCondition((line) => lines.push(line.replace(/:.*/, "")));
  reached();
  for (const error of [refused, refused, problemError("database_unavailable", "x"), refused]) failed(error);
  reached();
  reached();
  failed(refused);
  expect(lines).toEqual([
    "the task service cannot be reached",
    "the task service answers 503 database_unavailable",
    "the task service cannot be reached",
    "the task service answers again",
    "the task service cannot be reached",
  ]);
});
