// Faults on purpose, at moments that random kills miss: off unless FAILPOINTS says otherwise, and only in development (e2e/conformance).
import { setTimeout as delay } from "node:timers/promises";

export const failpointNames = [
  /** The claim's transaction has begun, nothing is taken yet. */
  "claim-begun",
  /** The claim is committed, its answer not begun. */
  "claim-committed",
  /** A signal's `finished` and `holding` are settled, its claim not begun. */
  "signal-committed",
  "create-committed",
  "end-committed",
  "sweep-committed",
] as const;
export type FailpointName = (typeof failpointNames)[number];

/** Called where the moment is; does there what the setting says. */
export type Hit = (name: FailpointName) => Promise<void>;

interface Rule {
  name: string;
  act: () => Promise<void>;
  isDue: (hits: number) => boolean;
}

export interface FailpointMeans {
  /** From 0 up to, not including, 1. */
  random?: () => number;
  /** Ends this process at once. */
  end?: () => void;
}

const nothing = Promise.resolve();

/**
 * Reads `<name>=<action>` with `@<probability>` (1 by default) or `#<n>` (the n-th hit only) behind it, separated by
 * commas; the first rule that is due at a hit acts. Actions: `crash` (SIGKILL of this process), `delay:<ms>`, and `fail`,
 * after which nobody knows how the statement ended. Throws an error for what it cannot read.
 */
export const createFailpoints = (setting: string | undefined, means: FailpointMeans = {}): Hit => {
  if (!setting) return () => nothing;
  const rules = setting.split(",").map((text) => readRule(text, means));
  const hits = new Map<FailpointName, number>();
  return async (name) => {
    const count = (hits.get(name) ?? 0) + 1;
    hits.set(name, count);
    await rules.find((rule) => rule.name === name && rule.isDue(count))?.act();
  };
};

const rulePattern = /^([a-z-]+)=(crash|fail|delay:(\d{1,6}))(?:@([01](?:\.\d+)?)|#(\d{1,6}))?$/;

const readRule = (text: string, { random = Math.random, end = endProcess }: FailpointMeans): Rule => {
  const [, name = "", action, ms, probability = "1", occurrence] = rulePattern.exec(text.trim()) ?? [];
  if (!(failpointNames as readonly string[]).includes(name)) throw new Error(`FAILPOINTS cannot hold "${text}"`);
  const isDue = occurrence ? (hits: number) => hits === Number(occurrence) : () => random() < Number(probability);
  if (ms !== undefined) return { name, isDue, act: () => delay(Number(ms)) };
  return { name, isDue, act: action === "crash" ? () => crash(end) : loseOutcome };
};

const endProcess = (): void => {
  process.kill(process.pid, "SIGKILL");
};

/** Nothing may run on until the signal has arrived. */
const crash = (end: () => void): Promise<never> => {
  end();
  return new Promise(() => {});
};

const loseOutcome = (): Promise<never> =>
  Promise.reject(Object.assign(new Error("the connection was lost on purpose"), { code: "CONNECTION_CLOSED" }));
