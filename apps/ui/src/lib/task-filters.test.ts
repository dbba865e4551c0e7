// Filters in the address: what a person chose comes back as it was, what is damaged is left out, and the API accepts the rest.
import { maxPriority, minPriority, taskSorts } from "@task-service/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "./address-search.ts";
import { joinList, splitList } from "./search-lists.ts";
import {
  filtersFromSearch,
  isFiltered,
  queryFromFilters,
  searchFromFilters,
  stateFilters,
  type TaskFilterValues,
} from "./task-filters.ts";

const word = (maxLength: number) =>
  fc
    .string({ unit: "binary", minLength: 1, maxLength })
    .map((text) => text.trim())
    .filter((text) => text.length > 0 && !text.includes("\0"));
const list = (maxItems: number, maxLength: number) =>
  fc.uniqueArray(word(maxLength), { minLength: 1, maxLength: maxItems });
const priority = fc.integer({ min: minPriority, max: maxPriority });

const filters = fc
  .record(
    {
      q: word(200),
      state: fc.constantFrom(...stateFilters),
      organization: list(5, 40),
      assignee_type: fc.constantFrom("agent" as const, "user" as const),
      assignee: list(5, 255),
      label: list(20, 50),
      created_by: fc.constant("me" as const),
      needs_attention: fc.constant(true as const),
      git_state: fc.constantFrom("open" as const, "unreadable" as const),
      priority_min: priority,
      priority_max: priority,
      sort: fc.constantFrom(...taskSorts),
    },
    { requiredKeys: [] },
  )
  .filter(
    ({ priority_min = minPriority, priority_max = maxPriority }) => priority_min <= priority_max,
  ) as fc.Arbitrary<TaskFilterValues>;

const readAddress = (address: string) => filtersFromSearch(parseSearch(address));
const addressOf = (chosen: TaskFilterValues) => stringifySearch({ ...searchFromFilters(chosen) });

test("what was chosen comes back from the address as it was", () => {
  fc.assert(
    fc.property(filters, (chosen) => {
      expect(filtersFromSearch({ ...searchFromFilters(chosen) })).toEqual(chosen);
      expect(readAddress(addressOf(chosen))).toEqual(chosen);
    }),
  );
});

test("any address gives filters that stay the same from then on", () => {
  const keys = [
    "q",
    "state",
    "org",
    "assigned",
    "for",
    "label",
    "by",
    "attention",
    "git",
    "min",
    "max",
    "sort",
    "other",
  ];
  const junk = fc.dictionary(fc.constantFrom(...keys), fc.oneof(fc.anything(), fc.string(), fc.constant("true")));
  fc.assert(
    fc.property(junk, (search) => {
      const read = filtersFromSearch(search);
      expect(readAddress(addressOf(read))).toEqual(read);
    }),
  );
});

test("lists survive whatever is in their items", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (items) => {
      expect(splitList(joinList(items))).toEqual(items);
    }),
  );
});

test("what is unknown or damaged is left out, the rest stays", () => {
  expect(
    filtersFromSearch({
      state: "asleep",
      org: ["acme"],
      for: "acme/developer,,acme/developer, bob ",
      min: "fifty",
      max: 40_000,
      sort: "priority",
      attention: "yes",
      by: "bob",
      nonsense: 1,
    }),
  ).toEqual({ assignee: ["acme/developer", "bob"] });
});

test("digits that are searched for are text, as they stand in the address", () => {
  expect(readAddress("?q=0123&label=1e3,true&for=00000000-0000-0000-0000-000000000000&min=50&attention=true")).toEqual({
    q: "0123",
    label: ["1e3", "true"],
    assignee: ["00000000-0000-0000-0000-000000000000"],
    priority_min: 50,
    needs_attention: true,
  });
  expect(addressOf({ q: "0123", label: ["1e3"] })).toBe("?q=0123&label=1e3");
});

test("what the API would not take is damaged", () => {
  expect(readAddress("?q=%00&label=%00,docs&org=%00&for=a%00b")).toEqual({ label: ["docs"] });
});

test("bounds the wrong way round mean what lies between them", () => {
  expect(readAddress("?min=50&max=10")).toEqual({ priority_min: 10, priority_max: 50 });
});

test("the API is asked in its own words", () => {
  expect(queryFromFilters({ state: "running", created_by: "me", label: ["ci"], sort: "-updated_at" }, "sub-1")).toEqual(
    {
      live: true,
      created_by: "sub-1",
      label: ["ci"],
      sort: "-updated_at",
    },
  );
  expect(queryFromFilters({ state: "ended" }, "sub-1")).toEqual({ state: "dispatched", live: false });
});

test("an order alone leaves nothing out", () => {
  expect(isFiltered({ sort: "created_at" })).toBe(false);
  expect(isFiltered({ needs_attention: true })).toBe(true);
});
