// Claims by executors of one agent type, behind a full queue of other types, against claims that take whatever is first.
import { type Result, resultOf } from "../harness/figures.ts";
import type { Place } from "../harness/place.ts";
import { alternate } from "../harness/rounds.ts";
import { rareFilter } from "../ours/fleet.ts";
import { sideOf, startLoadedQueue } from "../ours/loaded-queue.ts";

export const filter = async (place: Place): Promise<Result[]> => {
  const { waiting, seconds } = place.sizes;
  const queue = await startLoadedQueue(place, waiting);
  // Enough for one round of any speed we will see.
  const fillings = [{ count: waiting }, { count: waiting / 10, isRare: true }];
  const take = (filter?: string) => () => queue.executors.call("take", queue.takers(filter), seconds);
  const sides = [
    sideOf("one agent type", queue, fillings, take(await rareFilter(queue.client))),
    sideOf("unfiltered", queue, fillings, take()),
  ];
  const [mine, theirs] = await alternate(place, sides);
  await queue.check();
  return [
    resultOf({
      question: `claims of one agent type, ${waiting} of other types queued ahead`,
      peer: "unfiltered claims",
      ours: mine?.perSecond ?? 0,
      theirs: theirs?.perSecond ?? 0,
      unit: "tasks/s",
      reach: 0.8,
      better: "higher",
    }),
  ];
};
