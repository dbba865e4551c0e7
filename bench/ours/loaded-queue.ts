// A queue of ours with executors that take from it, and the proof that none of its tasks was lost or handed out twice.
import { join } from "node:path";
import { type Child, startChild } from "../harness/child-process.ts";
import type { Rate } from "../harness/figures.ts";
import type { Place, Queue } from "../harness/place.ts";
import type { Side } from "../harness/rounds.ts";
import type { ExecutorCommands, Takers } from "./executors.ts";
import { type Filling, fillQueue, tidyQueue } from "./queue-filling.ts";

export interface LoadedQueue extends Queue {
  readonly executors: Child<ExecutorCommands>;
  /** 50 executors that take one by one; `filter` narrows them. */
  takers(filter?: string): Takers;
  /** Refills the queue as given, and tidies up as autovacuum would. */
  refill(...fillings: Filling[]): Promise<void>;
  /** Throws unless every task taken was handed out once and every hand-over arrived. */
  check(): Promise<void>;
}

const executorCount = 50;

export const startLoadedQueue = async (place: Place, waiting: number): Promise<LoadedQueue> => {
  const queue = await place.startQueue(waiting);
  const executors = startChild<ExecutorCommands>(join(import.meta.dirname, "executors.ts"));
  place.defer(executors.stop);
  return {
    ...queue,
    executors,
    takers: (filter = "") => ({ port: queue.api.port, tokens: place.tokens, executors: executorCount, filter }),
    refill: async (...fillings) => {
      for (const filling of fillings) await fillQueue(queue.client, filling);
      await tidyQueue(queue.client);
    },
    check: async () => {
      const { handed, distinct } = await executors.call("taken");
      const { rows } = await queue.client.query<{ made: number }>("select count(*)::int as made from dispatches");
      const made = rows[0]?.made ?? 0;
      if (handed !== distinct || handed !== made)
        throw new Error(`${made} dispatches were made, ${handed} arrived, of ${distinct} different tasks.`);
      place.say(`${made} tasks handed over, none twice, none lost`);
    },
  };
};

/** A side of ours: `measure` on a queue that `fillings` bring back to size before each round. */
export const sideOf = (
  name: string,
  queue: LoadedQueue,
  fillings: readonly Filling[],
  measure: () => Promise<Rate>,
): Side => ({ name, prepare: () => queue.refill(...fillings), measure });
