// Claims while another transaction has been open for 200,000 claims (a report, a pg_dump), against claims without it.
import { medianRate, type Rate, type Result, resultOf } from "../harness/figures.ts";
import type { Place } from "../harness/place.ts";
import { type LoadedQueue, startLoadedQueue } from "../ours/loaded-queue.ts";

const measureRounds = async (place: Place, queue: LoadedQueue, name: string): Promise<Rate> => {
  const rates: Rate[] = [];
  for (let round = 1; round <= place.sizes.rounds; round += 1) {
    const rate = await queue.executors.call("take", queue.takers(), place.sizes.seconds);
    place.say(`round ${round}  ${name}: ${Math.round(rate.perSecond)}/s`);
    rates.push(rate);
  }
  return medianRate(rates);
};

export const snapshot = async (place: Place): Promise<Result[]> => {
  const { waiting, claimsUnderSnapshot } = place.sizes;
  const queue = await startLoadedQueue(place, waiting);
  const without = await measureRounds(place, queue, "without it");
  await queue.refill({ count: waiting });

  const reader = await place.connect(queue.url);
  await reader.query("begin isolation level repeatable read");
  await reader.query("select 1");
  const { perSecond } = await queue.executors.call("takeCount", queue.takers(), claimsUnderSnapshot);
  place.say(`${claimsUnderSnapshot} claims while it is open: ${Math.round(perSecond)}/s`);
  const under = await measureRounds(place, queue, "still open");
  await reader.query("rollback");
  await queue.check();
  return [
    resultOf({
      question: `claims with another transaction open for ${claimsUnderSnapshot} claims`,
      peer: "claims without it",
      ours: under.perSecond,
      theirs: without.perSecond,
      unit: "tasks/s",
      reach: 0.5,
      better: "higher",
    }),
  ];
};
