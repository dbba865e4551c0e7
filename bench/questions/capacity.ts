// `POST /capacity` with 50 slots by 8 executors, against graphile-worker with a local queue of 500.
import { type Result, resultOf } from "../harness/figures.ts";
import type { Place } from "../harness/place.ts";
import { alternate } from "../harness/rounds.ts";
import { sideOf, startLoadedQueue } from "../ours/loaded-queue.ts";
import { startPeer } from "../peers/peer-side.ts";

export const capacity = async (place: Place): Promise<Result[]> => {
  const { waiting, seconds } = place.sizes;
  place.say(`queueing ${waiting} tasks for each side`);
  const [queue, peer] = await Promise.all([
    startLoadedQueue(place, waiting),
    place
      .createDatabase("graphile")
      .then((url) => startPeer(place, "graphile-worker", "graphile-worker", url, "local-queue")),
  ]);
  const signallers = { port: queue.api.port, tokens: place.tokens, executors: 8, slots: 50 };
  const signal = () => queue.executors.call("signal", signallers, seconds);
  const ours = sideOf("POST /capacity", queue, [{ count: waiting }], signal);
  const [mine, theirs] = await alternate(place, [ours, peer]);
  await queue.check();
  return [
    resultOf({
      question: `POST /capacity with 50 slots, 8 executors, ${waiting} queued`,
      peer: "graphile-worker 0.18, localQueue 500",
      ours: mine?.perSecond ?? 0,
      theirs: theirs?.perSecond ?? 0,
      unit: "tasks/s",
      reach: 1,
      better: "higher",
    }),
  ];
};
