// From creating a task to its being received by an executor that waits, against the least that PostgreSQL needs for it.
import { join } from "node:path";
import { startChild } from "../harness/child-process.ts";
import { median, type Result, resultOf } from "../harness/figures.ts";
import type { Place } from "../harness/place.ts";
import type { WakeTimes } from "../harness/wake-times.ts";
import { startWaitingRoom } from "../ours/waiting-room.ts";
import type { WakeFloorCommands } from "../peers/wake-floor.ts";

export const wake = async (place: Place): Promise<Result[]> => {
  const { wakes, rounds } = place.sizes;
  const room = await startWaitingRoom(place, 1);
  const url = await place.createDatabase("wake_floor");
  const floor = startChild<WakeFloorCommands>(join(import.meta.dirname, "../peers/wake-floor.ts"), url);
  place.defer(floor.stop);

  const mine: WakeTimes[] = [];
  const theirs: WakeTimes[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    mine.push(await room.wake(wakes));
    theirs.push(await floor.call("wake", wakes));
    place.say(`round ${round}  ours ${describe(mine.at(-1))}; floor ${describe(theirs.at(-1))}`);
  }
  const line = (name: string, pick: (times: WakeTimes) => number, reach: number): Result =>
    resultOf({
      question: `created to received by a waiting executor, ${name}`,
      peer: "floor: insert, NOTIFY, one claim, no HTTP",
      ours: median(mine.map(pick)),
      theirs: median(theirs.map(pick)),
      unit: "ms",
      reach,
      better: "lower",
    });
  return [line("p50", ({ p50Ms }) => p50Ms, 2), line("p99", ({ p99Ms }) => p99Ms, 4)];
};

const describe = (times: WakeTimes | undefined): string =>
  `p50 ${times?.p50Ms.toFixed(2)} ms, p99 ${times?.p99Ms.toFixed(2)} ms`;
