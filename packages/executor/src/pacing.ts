// How long the executor waits for what, and how its waits grow.
import { setTimeout as sleep } from "node:timers/promises";
import { ProblemError } from "@task-service/contract";

export interface Growth {
  readonly firstMs: number;
  /** The wait doubles with every failure up to this. */
  readonly maxMs: number;
}

export interface Pacing {
  /** How long the service may hold a request for the next task; 0 to 50. */
  readonly waitSeconds: number;
  /** Before asking again when the service had nothing and did not wait, give or take a quarter. */
  readonly idleMs: number;
  /** Before asking again a service that is away or refuses. */
  readonly retry: Growth;
  /** Before asking again when the executor is not a member of the group: a person has to act first. */
  readonly notMemberMs: number;
  /** After a worker has failed, before the next task is taken, so that a broken command does not burn the queue. */
  readonly rest: Growth;
  /** No request takes longer, besides the time it waits for a task; D-26 makes it safe to give up on any of them. */
  readonly requestTimeoutMs: number;
  /** How long a drain goes on telling the service once its last worker has ended; then leases do the rest. */
  readonly drainReportsMs: number;
  /** As `drainReportsMs`, after a stop. */
  readonly stopReportsMs: number;
}

export const defaultPacing: Pacing = {
  waitSeconds: 50,
  idleMs: 1_000,
  retry: { firstMs: 500, maxMs: 10_000 },
  notMemberMs: 30_000,
  rest: { firstMs: 1_000, maxMs: 60_000 },
  requestTimeoutMs: 10_000,
  drainReportsMs: 60_000,
  stopReportsMs: 5_000,
};

/** The wait after so many failures in a row, counted from 1. */
export const growing = ({ firstMs, maxMs }: Growth, failures: number): number =>
  Math.min(firstMs * 2 ** (failures - 1), maxMs);

/** From three to five quarters of `ms`, so that many executors do not ask in step. */
export const jittered = (ms: number, random = Math.random): number => ms * (0.75 + random() / 2);

/** The wait after so many failures in a row, the last of which was `error`. */
export const retryMs = (error: Error, failures: number, { retry, notMemberMs }: Pacing): number => {
  if (!(error instanceof ProblemError)) return jittered(growing(retry, failures));
  if (error.code === "not_a_member") return jittered(notMemberMs);
  return Math.max(jittered(growing(retry, failures)), (error.retryAfterSeconds ?? 0) * 1_000);
};

/** Resolves after `ms` (at once when that is over), or when `signal` aborts. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
};
