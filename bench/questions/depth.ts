// Claims at a full queue against claims at 1,000 queued: the same number each time, then the queue is filled up again.
import { type Rate, type Result, rateOf, resultOf } from "../harness/figures.ts";
import type { Place } from "../harness/place.ts";
import { alternate, type Side } from "../harness/rounds.ts";
import { type LoadedQueue, startLoadedQueue } from "../ours/loaded-queue.ts";
import { fillQueue, queueTasks } from "../ours/queue-filling.ts";

const shallow = 1000;
const claimsAtOnce = 1000;

/** `bursts` times 1,000 claims, half of them above `waiting` and half below. */
const claimInBursts = async (queue: LoadedQueue, waiting: number, bursts: number): Promise<Rate> => {
  let seconds = 0;
  await fillQueue(queue.client, { count: waiting - claimsAtOnce / 2 });
  for (let burst = 0; burst < bursts; burst += 1) {
    await queueTasks(queue.client, 0, claimsAtOnce);
    const { perSecond } = await queue.executors.call("takeCount", queue.takers(), claimsAtOnce);
    seconds += claimsAtOnce / perSecond;
  }
  return rateOf(bursts * claimsAtOnce, seconds);
};

export const depth = async (place: Place): Promise<Result[]> => {
  const { waiting, seconds } = place.sizes;
  const bursts = seconds * 3;
  const sideAt = async (count: number): Promise<{ side: Side; queue: LoadedQueue }> => {
    const queue = await startLoadedQueue(place, count);
    const prepare = () => queue.refill({ count });
    return { queue, side: { name: `${count} queued`, prepare, measure: () => claimInBursts(queue, count, bursts) } };
  };
  const deep = await sideAt(waiting);
  const flat = await sideAt(shallow);
  const [mine, theirs] = await alternate(place, [deep.side, flat.side]);
  await deep.queue.check();
  await flat.queue.check();
  return [
    resultOf({
      question: `claims at ${waiting} queued`,
      peer: `claims at ${shallow} queued`,
      ours: mine?.perSecond ?? 0,
      theirs: theirs?.perSecond ?? 0,
      unit: "tasks/s",
      reach: 0.8,
      better: "higher",
    }),
  ];
};
