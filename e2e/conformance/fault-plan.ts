// Which answers go wrong and how: every n-th, the kind drawn from the seed.
import { between, pick, type Random } from "./seeded-random.ts";

export const faultKinds = ["dropped", "repeated", "stalled", "cut"] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  kind: FaultKind;
  /** How long a stalled answer is held, or a repeated request comes after the first. */
  delayMs: number;
}

export interface FaultPlan {
  /** What happens to the answer of the next request; undefined: nothing. */
  next(method: string): Fault | undefined;
  /** Counts what has happened. */
  happened(kind: FaultKind): void;
  readonly counts: Readonly<Record<FaultKind, number>>;
}

export interface FaultPlanOptions {
  random: Random;
  /** 10: the answer of every tenth request. Infinity: none. */
  everyNth: number;
  /** The patience of the clients: one stall in eight outlasts it. */
  clientTimeoutMs: number;
}

export const createFaultPlan = ({ random, everyNth, clientTimeoutMs }: FaultPlanOptions): FaultPlan => {
  const counts: Record<FaultKind, number> = { dropped: 0, repeated: 0, stalled: 0, cut: 0 };
  let requests = 0;
  const stallMs = () => (random() < 0.125 ? clientTimeoutMs + 500 : between(random, 50, 800));
  return {
    next: (method) => {
      requests += 1;
      if (requests % everyNth !== 0) return undefined;
      // Proxies repeat what RFC 9110 calls safe, and nothing else.
      const kind = pick(random, method === "GET" ? faultKinds : (["dropped", "stalled", "cut"] as const));
      return { kind, delayMs: kind === "stalled" ? stallMs() : between(random, 0, 300) };
    },
    happened: (kind) => {
      counts[kind] += 1;
    },
    counts,
  };
};
