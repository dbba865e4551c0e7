// 5,000 long polls that wait in one process, against 50: how soon a new task is received, and what the process holds.
import { median, type Result, resultOf } from "../harness/figures.ts";
import type { Place } from "../harness/place.ts";
import { startWaitingRoom } from "../ours/waiting-room.ts";

const few = 50;
const maxMb = 300;

export const waiters = async (place: Place): Promise<Result[]> => {
  const { waiters: many, wakes, rounds } = place.sizes;
  const full = await startWaitingRoom(place, many);
  const quiet = await startWaitingRoom(place, few);
  const mine: number[] = [];
  const theirs: number[] = [];
  let residentMb = 0;
  for (let round = 1; round <= rounds; round += 1) {
    mine.push((await full.wake(wakes)).p99Ms);
    residentMb = Math.max(residentMb, await full.api.residentMb());
    theirs.push((await quiet.wake(wakes)).p99Ms);
    place.say(
      `round ${round}  p99 ${mine.at(-1)?.toFixed(2)} ms with ${many}, ${theirs.at(-1)?.toFixed(2)} ms with ${few}; ${Math.round(residentMb)} MB`,
    );
  }
  return [
    resultOf({
      question: `${many} waiting long polls in one process, wake p99`,
      peer: `${few} waiting`,
      ours: median(mine),
      theirs: median(theirs),
      unit: "ms",
      reach: 2,
      better: "lower",
    }),
    resultOf({
      question: `${many} waiting long polls in one process, memory`,
      peer: `limit of ${maxMb} MB`,
      ours: residentMb,
      theirs: maxMb,
      unit: "MB",
      reach: 1,
      better: "lower",
    }),
  ];
};
