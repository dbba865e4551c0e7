// Who takes part in a run: producers with their shares, executors with their characters.
import type { Client } from "@task-service/contract";
import type { RunLog } from "./executor-log.ts";
import { type Random, seededRandom } from "./seeded-random.ts";
import { createTasks } from "./task-producer.ts";

const producers = 6;
const waitSeconds = 3;

/** Resolves when the producers, together, have so many tasks acknowledged. */
export const produce = async (
  common: { client: Client; log: RunLog; timeoutMs: number },
  { types, tasks, over, seed }: { types: string[]; tasks: number; over: AbortSignal; seed: number },
): Promise<void> => {
  const [first = "", ...others] = types;
  const each = Math.ceil(tasks / producers);
  const shares = Array.from({ length: producers }, (_, index) => Math.min(each, tasks - index * each));
  await Promise.all(
    shares.map((share, index) =>
      createTasks({
        ...common,
        over,
        random: seededRandom(seed + 10 + index),
        agentTypes: [first, ...others],
        tasks: share,
      }),
    ),
  );
};

/** Half of them signal, with several slots, half poll with a lease of 10 s; every third asks for two agent types only. */
export const characterOf = (index: number, types: readonly string[], random: Random) => ({
  name: `executor-${index + 1}`,
  random,
  style: index % 2 === 0 ? ("signals" as const) : ("polls" as const),
  slots: 1 + (index % 5),
  // Every second one that signals lives by its held set alone.
  usesClaimKeys: index % 4 !== 0,
  leaseSeconds: index % 4 === 0 ? undefined : 10,
  waitSeconds,
  agentTypes: index % 3 === 0 ? [types[index % 4] ?? "", types[(index + 1) % 4] ?? ""] : undefined,
});
