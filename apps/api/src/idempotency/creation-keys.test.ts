// The fingerprint of a request (D-17): blind to how it was written down, and to nothing else.
import fc from "fast-check";
import { expect, test } from "vitest";
import { fingerprintOf } from "./creation-keys.ts";

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, child]) => [key, reversed(child)]),
  );
};

test("does not see the order of fields, at any depth", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      const read: unknown = JSON.parse(JSON.stringify(body));
      expect(fingerprintOf("/tasks", {}, reversed(read))).toBe(fingerprintOf("/tasks", {}, read));
    }),
  );
});

test.each([
  ["another operation", "/organizations", {}, { a: [1, 2] }],
  ["another task in the path", "/tasks", { id: "x" }, { a: [1, 2] }],
  ["another value", "/tasks", {}, { a: [1, 3] }],
  ["another order of a list", "/tasks", {}, { a: [2, 1] }],
  ["another type", "/tasks", {}, { a: ["1", 2] }],
  ["null beside nothing", "/tasks", {}, { a: [1, 2], b: null }],
])("sees %s", (_, operation, params, body) => {
  expect(fingerprintOf(operation, params, body)).not.toBe(fingerprintOf("/tasks", {}, { a: [1, 2] }));
});
