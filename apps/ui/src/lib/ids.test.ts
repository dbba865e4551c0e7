import { expect, test } from "vitest";
import { isId } from "./ids.ts";

test("only an id is one", () => {
  expect(isId("01936f5e-7c3a-7000-8000-000000000000")).toBe(true);
  for (const other of ["notauuid", "", "01936f5e7c3a70008000000000000000", 7, undefined])
    expect(isId(other)).toBe(false);
});
