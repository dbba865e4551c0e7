// A correct executor of the protocol that has accidents: its process crashes and starts again under the same name.
import { setTimeout as delay } from "node:timers/promises";
import { pollTasks } from "./poll-executor.ts";
import { between } from "./seeded-random.ts";
import { signalCapacity } from "./signal-executor.ts";
import type { Life } from "./worker-model.ts";

export interface ExecutorOptions extends Omit<Life, "incarnation" | "over" | "crash"> {
  readonly style: "signals" | "polls";
}

export interface ModelExecutor {
  /** Ends it without a farewell. */
  stop(): Promise<void>;
}

/** Starts at once. */
export const startExecutor = (options: ExecutorOptions): ModelExecutor => {
  const { style, name, agentTypes, log, random } = options;
  const stopping = new AbortController();
  if (agentTypes) log.filters.set(name, agentTypes);

  const live = async (incarnation: number): Promise<void> => {
    const crashed = new AbortController();
    const over = AbortSignal.any([stopping.signal, crashed.signal]);
    const life: Life = { ...options, incarnation, over, crash: () => crashed.abort() };
    await (style === "signals" ? signalCapacity(life) : pollTasks(life));
    if (!crashed.signal.aborted || stopping.signal.aborted) return;
    log.crashes += 1;
    await delay(between(random, 50, 500), undefined, { signal: stopping.signal }).catch(() => undefined);
    return live(incarnation + 1);
  };

  const lives = live(1);
  return {
    stop: () => {
      stopping.abort();
      return lives;
    },
  };
};
