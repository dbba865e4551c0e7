import { expect, test } from "vitest";
import { initials } from "./initials.ts";

test("two letters stand for a name", () => {
  expect(["alice", "Ada King", "Ada B. King", "ci-runner", "x", " ", "", "😀 smile", "李"].map(initials)).toEqual([
    ...["AL", "AK", "AK", "CR", "X", "", "", "😀S", "李"],
  ]);
});
