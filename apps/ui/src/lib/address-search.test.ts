// An address keeps words as they are, whatever they look like.
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "./address-search.ts";

test("words come back as they were, also those that look like something else", () => {
  const odd = fc.constantFrom("0123", "1e3", "-0", "true", "null", '"quoted"', "{}", "[1,2]", "a+b c&d=e#f?%00");
  const text = fc.oneof(odd, fc.string({ unit: "grapheme" }), fc.json());
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), text), (search) => {
      expect(parseSearch(stringifySearch(search))).toEqual({ ...search });
    }),
  );
});

test("nothing is written of what is not there", () => {
  expect(stringifySearch({ q: undefined })).toBe("");
  expect(stringifySearch({ min: 50, q: undefined, attention: true })).toBe("?min=50&attention=true");
  expect(parseSearch("?q=0123&q=1e3")).toEqual({ q: "1e3" });
});
