// The place in a list that an address names; what is damaged is ignored.
import { expect, test } from "vitest";
import { placeFromSearch } from "./list-place.ts";

const open = "01936f5e-7c3a-7000-8000-000000000000";

test("a place is a row and an open preview", () => {
  expect(placeFromSearch({ open, at: "4123", q: "walnut" })).toEqual({ open, at: 4123 });
  expect(placeFromSearch({ at: 12 })).toEqual({ at: 12 });
});

test.each(["1", "0", "-3", "2.5", "1e400", "many", "", undefined, [7, 8]])("%j is no row", (at) => {
  expect(placeFromSearch({ open: "notauuid", at })).toEqual({});
});
