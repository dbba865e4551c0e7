// Every shape in which providers carry groups (D-07; reliability.md row 10).
import { describe, expect, test } from "vitest";
import { groupsIn, hasOverage } from "./group-claim.ts";

describe("groupsIn", () => {
  test.each([
    ["an array", { groups: ["a", "b"] }, "groups", undefined, ["a", "b"]],
    ["one string", { groups: "a" }, "groups", undefined, ["a"]],
    ["one string is not split by itself", { groups: "a,b" }, "groups", undefined, ["a,b"]],
    ["one string with a separator", { groups: "a,b" }, "groups", ",", ["a", "b"]],
    [
      "an object keyed by group (Zitadel)",
      { "urn:zitadel:iam:org:project:roles": { a: { 1: "x" } } },
      "urn:zitadel:iam:org:project:roles",
      undefined,
      ["a"],
    ],
    ["a dotted path (Keycloak)", { realm_access: { roles: ["a"] } }, "realm_access.roles", undefined, ["a"]],
    ["a JSON pointer", { "https://x/y": { roles: ["a"] } }, "/https:~1~1x~1y/roles", undefined, ["a"]],
    ["a claim whose name has dots", { "x.y": ["a"] }, "x.y", undefined, ["a"]],
    ["a Keycloak path", { groups: ["/task-service"] }, "groups", undefined, ["/task-service"]],
    ["non-strings are dropped", { groups: ["a", 7, null] }, "groups", undefined, ["a"]],
    ["an inherited key is no claim", {}, "constructor", undefined, []],
    ["a missing path", { realm_access: null }, "realm_access.roles", undefined, []],
  ])("%s", (_, payload, claim, separator, groups) => {
    expect(groupsIn(payload, claim, separator)).toEqual(groups);
  });
});

test("hasOverage sees both of Entra's marks", () => {
  expect([{ hasgroups: true }, { _claim_names: { groups: "src1" } }, { groups: [] }].map(hasOverage)).toEqual([
    true,
    true,
    false,
  ]);
});
