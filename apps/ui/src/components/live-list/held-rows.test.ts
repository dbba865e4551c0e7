// What a list shows while it changes underneath: against every way tasks come, go and change places.
import type { TaskSummary } from "@task-service/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Arrangement,
  ascending,
  asItIs,
  goneTasks,
  rowAt,
  settle,
  shownCount,
  waitingCount,
} from "./held-rows.ts";
import { rowsOfList, rowsOfPages } from "./sparse-rows.ts";

const task = (id: string, title = id) => ({ id, title }) as TaskSummary;
const listOf = (ids: string) =>
  rowsOfList(
    [...ids].map((id) => task(id)),
    0,
  );
const idAt = (shown: Arrangement, index: number) => rowAt(shown, index).task?.id ?? "_";
const shownIds = (shown: Arrangement) =>
  Array.from({ length: shownCount(shown) }, (_, index) => idAt(shown, index)).join("");

describe("while it is held", () => {
  const held = (before: string, after: string, first: number, last: number) =>
    settle(asItIs(listOf(before)), listOf(after), { first, last }, true);

  test.each<[string, string, string, number, number, string, number]>([
    ["a row that left stays", "abcdef", "acdef", 0, 3, "abcdef", 0],
    ["a new one waits", "abcdef", "axbcdef", 0, 3, "abcdef", 0],
    ["one before the first waits too", "abcdef", "xabcdef", 0, 3, "abcdef", 0],
    ["the head is dispatched", "abcdef", "cdef", 0, 3, "abcdef", 0],
    ["all in view is dispatched", "abcdef", "ef", 0, 3, "abcdef", 0],
    ["a row that moved stays where it was", "abcdef", "eabcdf", 0, 5, "abcdef", 0],
    ["what comes above is followed", "abcdef", "xyabcdef", 2, 4, "xyabcdef", 2],
    ["what leaves above is followed", "abcdef", "bcdef", 2, 4, "bcdef", -1],
    ["all in view leaves, in the middle", "abcdefgh", "abgh", 2, 5, "abcdefgh", 0],
    ["what comes below comes", "abcdef", "abcdefx", 0, 2, "abcdefx", 0],
    ["nothing happens", "abcdef", "abcdef", 1, 4, "abcdef", 0],
    ["everything is gone", "abc", "", 0, 2, "abc", 0],
  ])("%s", (_, before, after, first, last, expected, shift) => {
    const settled = held(before, after, first, last);
    expect(shownIds(settled.next)).toBe(expected);
    expect(settled.shift).toBe(shift);
  });

  test("it is told what waits and what has gone, and a change of a row shows", () => {
    const { next } = settle(
      asItIs(listOf("abcd")),
      rowsOfList([task("x"), task("a", "renamed"), task("c")], 0),
      { first: 0, last: 2 },
      true,
    );
    expect(waitingCount(next)).toBe(1);
    expect(goneTasks(next).map(({ id }) => id)).toEqual(["b"]);
    expect(rowAt(next, 0)).toMatchObject({ task: { title: "renamed" }, index: 1 });
    expect(rowAt(next, 1)).toMatchObject({ task: { id: "b" }, index: null });
  });

  test("shown as it is again, the first row that is left keeps its place", () => {
    const { next } = held("abcdef", "axef", 2, 5);
    expect(shownIds(next)).toBe("axcdef");
    const released = settle(next, listOf("axef"), { first: 2, last: 5 }, false);
    expect(shownIds(released.next)).toBe("axef");
    expect(released.shift).toBe(-2);
  });
});

/** Some list, and what becomes of it. */
const change = fc
  .uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 40 })
  .chain((before) =>
    fc.tuple(
      fc.constant(before),
      fc.array(fc.shuffledSubarray(before.concat([70, 71, 72, 73])), { minLength: 1, maxLength: 3 }),
      fc.nat(before.length - 1),
      fc.nat(12),
    ),
  );

test("whatever happens, a held row in view stays at its place on the screen, and none is there twice but where it moved", () => {
  fc.assert(
    fc.property(change, ([before, afters, first, height]) => {
      const rowsOf = (numbers: readonly number[]) =>
        rowsOfList(
          numbers.map((n) => task(String(n))),
          0,
        );
      let shown = asItIs(rowsOf(before));
      let view = { first, last: Math.min(first + height, before.length - 1) };
      for (const after of afters) {
        const wanted = Array.from({ length: view.last - view.first + 1 }, (_, step) => idAt(shown, view.first + step));
        const { next, shift } = settle(shown, rowsOf(after), view, true);
        view = { first: view.first + shift, last: view.last + shift };
        const kept = wanted.map((_, step) => idAt(next, view.first + step));
        expect(kept).toEqual(wanted);
        const ids = Array.from({ length: shownCount(next) }, (_, index) => idAt(next, index));
        expect(ids.length - new Set(ids).size).toBeLessThanOrEqual(movedInView(next));
        shown = next;
      }
    }),
    { numRuns: 300 },
  );
});

/** Rows that are held where they were, and are shown where they went as well. */
const movedInView = ({ held, live }: Arrangement): number => {
  const there = new Set([...live.rows.values()].map(({ id }) => id));
  return held.filter(({ index, task: { id } }) => index === null && there.has(id)).length;
};

test("the longest part that ascends is kept", () => {
  expect(ascending([3, 1, null, 2, 9, 4, 5])).toEqual([null, 1, null, 2, null, 4, 5]);
  expect(ascending([])).toEqual([]);
  expect(ascending([null])).toEqual([null]);
});

test("pages stand where their number says, whatever lies between", () => {
  const { rows, total } = rowsOfPages([[2, [task("a"), task("b")]]], 200, 1000);
  expect([...rows.keys()]).toEqual([400, 401]);
  expect(total).toBe(1000);
});
