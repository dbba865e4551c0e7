// `GET /tasks/next` by 50 executors at a full queue, against what the peers hand out with as many in flight.
import { join } from "node:path";
import { type Result, resultOf } from "../harness/figures.ts";
import type { Place } from "../harness/place.ts";
import { alternate } from "../harness/rounds.ts";
import { sideOf, startLoadedQueue } from "../ours/loaded-queue.ts";
import { startPeer } from "../peers/peer-side.ts";
import { startRedis } from "../peers/redis-server.ts";

const reaches = [
  ["pg-boss 12, fetch one by one, 50 in flight", 4],
  ["graphile-worker 0.18, concurrency 24", 2.5],
  ["BullMQ 6 on Redis, concurrency 50", 1],
] as const;

export const dispatch = async (place: Place): Promise<Result[]> => {
  const { waiting, seconds } = place.sizes;
  const redis = await startRedis(join(place.dataDir, "redis"));
  place.defer(redis.stop);
  place.say(`queueing ${waiting} tasks for each side`);
  const [queue, ...peers] = await Promise.all([
    startLoadedQueue(place, waiting),
    place.createDatabase("pg_boss").then((url) => startPeer(place, "pg-boss", "pg-boss", url)),
    place
      .createDatabase("graphile")
      .then((url) => startPeer(place, "graphile-worker", "graphile-worker", url, "plain")),
    startPeer(place, "BullMQ", "bullmq", String(redis.port)),
  ]);
  const take = () => queue.executors.call("take", queue.takers(), seconds);
  const ours = sideOf("GET /tasks/next", queue, [{ count: waiting }], take);
  const [mine, ...theirs] = await alternate(place, [ours, ...peers]);
  await queue.check();
  return reaches.map(([peer, reach], index) =>
    resultOf({
      question: `GET /tasks/next, 50 executors, ${waiting} queued`,
      peer,
      ours: mine?.perSecond ?? 0,
      theirs: theirs[index]?.perSecond ?? 0,
      unit: "tasks/s",
      reach,
      better: "higher",
    }),
  );
};
