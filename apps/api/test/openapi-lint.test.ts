// The document is sound: Redocly's recommended rules find nothing to say about it, and there is an example of everything.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { namedSchemas, type Operation, operations } from "@task-service/contract";
import { expect, test } from "vitest";
import { describeApi } from "../src/platform/openapi.ts";
import { answerExamples } from "../src/platform/openapi-answer-examples.ts";
import { bodyExamples } from "../src/platform/openapi-body-examples.ts";

test("no error and no warning of the recommended rules, which hold the examples against their schemas", async () => {
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      // `/tasks/next` is the specification's. OpenAPI 3.1 (4.8.8.2): concrete paths are matched before templated ones.
      "no-ambiguous-paths": "off",
    },
  });
  const source = JSON.stringify(describeApi("1.2.3"));
  const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
  expect(
    problems.map(
      ({ severity, ruleId, message, location: [place] }) => `${severity} ${ruleId} ${place?.pointer} ${message}`,
    ),
  ).toEqual([]);
});

test("every shape of an answer and every body with fields has an example", () => {
  const shapes = namedSchemas.map(({ $id }) => $id).filter((name) => name !== "Problem" && !(name in answerExamples));
  const bodies = Object.entries(operations as Record<string, Operation>)
    .filter(([, { body }]) => Object.keys(body?.properties ?? {}).length > 0)
    .map(([name]) => name)
    .filter((name) => !(name in bodyExamples));
  expect([...shapes, ...bodies]).toEqual([]);
});
