// Whether a worker has a task, and why it waits, in words: each reason, and counts that go no further than the service counts.
import { maxPositionCount, type Position, positionReasons } from "@task-service/contract";
import { expect, test } from "vitest";
import { isBeingWorkedOn, positionWords } from "./task-words.ts";

const position = (given: Partial<Position>): Position => ({
  position: 1,
  ahead: [],
  overtaken_count: 0,
  oldest_ahead_at: null,
  waiting_executors: 0,
  estimated_wait_seconds: null,
  reasons: ["next"],
  ...given,
});

test("a worker has what is dispatched until that dispatch ends", () => {
  expect(isBeingWorkedOn({ state: "queued", dispatch_ended_at: null })).toBe(false);
  expect(isBeingWorkedOn({ state: "dispatched", dispatch_ended_at: null })).toBe(true);
  expect(isBeingWorkedOn({ state: "dispatched", dispatch_ended_at: "2026-01-01T00:00:00Z" })).toBe(false);
});

test("tells those of higher priority from those that came first", () => {
  const words = positionWords(
    position({
      position: 8,
      ahead: [
        { priority: 100, count: 3 },
        { priority: 50, count: 1 },
        { priority: 0, count: 3 },
      ],
      reasons: ["behind_higher_priority", "behind_older", "no_free_capacity"],
      estimated_wait_seconds: 840,
      overtaken_count: 2,
    }),
  );
  expect(words).toEqual({
    place: "Number 8 in the queue",
    reasons: [
      "Waiting behind 4 with higher priority",
      "Waiting behind 3 of the same priority that came first",
      "Every executor that takes tasks like this is busy",
    ],
    wait: "Its turn comes in about 14 min",
    overtaken: "2 that came later went first",
  });
});

test("says that it counts no further", () => {
  const words = positionWords(
    position({
      position: maxPositionCount + 1,
      ahead: [{ priority: 0, count: maxPositionCount }],
      reasons: ["behind_older"],
      estimated_wait_seconds: 7_200,
    }),
  );
  expect(words).toMatchObject({
    place: "Behind 10,000 or more in the queue",
    reasons: ["Waiting behind 10,000 or more of the same priority that came first"],
    wait: "Its turn comes in more than 2 h",
  });
});

test("outside the queue it has no place, and says what it waits for", () => {
  const lost = positionWords(position({ position: null, reasons: ["not_queued", "needs_attention"] }));
  expect(lost.place).toBeNull();
  expect(lost.reasons).toEqual(["Lost too often: it waits until somebody requeues it"]);
  expect(positionWords(position({ position: null, reasons: ["not_queued"] })).reasons).toHaveLength(1);
});

test("has words for every reason there is", () => {
  for (const reason of positionReasons) {
    const { reasons } = positionWords(position({ reasons: [reason] }));
    expect(reasons).toEqual([expect.stringMatching(/^[A-Z].*[^.]$/)]);
  }
});
