// UUIDv7s: of the right form, and strictly growing whatever the clock does.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createId, createIdSource, timeOfId } from "./identifiers.ts";

test("an id is a UUIDv7 of its instant", () => {
  const before = Date.now();
  const id = createId();
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(timeOfId(id)).toBeGreaterThanOrEqual(before);
});

test("ids grow strictly, also in one millisecond and under a clock that jumps back", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_050 }), { minLength: 2, maxLength: 200 }),
      (clock) => {
        let tick = 0;
        const nextId = createIdSource(() => clock[tick++ % clock.length] ?? 0);
        const ids = Array.from({ length: clock.length * 40 }, nextId);
        expect(ids).toEqual([...new Set(ids)].sort());
      },
    ),
    { numRuns: 30 },
  );
});
