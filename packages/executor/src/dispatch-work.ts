// One dispatch from its hand-over to its end: heartbeats while the worker runs, then finish or release (D-24, D-25).
import { stripVTControlCharacters } from "node:util";
import { type Client, type Dispatch, type Handoff, ProblemError } from "@task-service/contract";
import { growing, jittered, type Pacing, pause } from "./pacing.ts";
import type { ServiceCondition } from "./service-condition.ts";

/**
 * Does one task. Resolves when it is done; rejects with an Error whose message becomes the reason of the release.
 * When `signal` aborts it must stop the work and reject soon: the task belongs to somebody else, or the executor stops.
 */
export type RunTask = (handoff: Handoff, signal: AbortSignal) => Promise<void>;

export type DispatchClient = Pick<Client, "heartbeatDispatch" | "finishDispatch" | "releaseDispatch">;

/** `stale`: the service had ended the dispatch already. `unreported`: it never heard; the lease returns the task. */
export interface DispatchEnd {
  readonly outcome: "finished" | "released" | "stale" | "unreported";
  readonly reason?: string;
}

interface DispatchWork {
  readonly client: DispatchClient;
  readonly run: RunTask;
  readonly condition: ServiceCondition;
  readonly pacing: Pacing;
  /** Aborts when the executor stops; its reason is given for the release. */
  readonly stopped: AbortSignal;
}

const maxReasonCharacters = 500;

const isOver = (error: unknown): boolean =>
  error instanceof ProblemError && (error.code === "stale_dispatch" || error.code === "not_found");

/** A request that no repetition will make right. Tokens, membership and limits may change: those are tried again. */
const isRefused = (error: unknown): boolean =>
  error instanceof ProblemError && error.status < 500 && ![401, 403, 408, 429].includes(error.status);

/** One line of plain text, whatever a worker wrote. */
const reasonOf = (error: unknown): string => {
  const message = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  return Array.from(
    message
      .toWellFormed()
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim(),
  )
    .slice(0, maxReasonCharacters)
    .join("");
};

export const workOnDispatch = async (handoff: Handoff, work: DispatchWork): Promise<DispatchEnd> => {
  const { client, run, pacing, stopped } = work;
  const params = { id: handoff.dispatch.id };
  const taken = new AbortController();
  const ended = new AbortController();
  const heartbeats = keepLease(handoff.dispatch, work, ended.signal, () => taken.abort(new Error("stale dispatch")));

  const failure = await Promise.try(run, handoff, AbortSignal.any([taken.signal, stopped])).then(
    () => undefined,
    (error: unknown) => reasonOf(stopped.aborted ? stopped.reason : error),
  );
  ended.abort();
  await heartbeats;

  if (taken.signal.aborted) return { outcome: "stale" };
  const timeout = () => AbortSignal.timeout(pacing.requestTimeoutMs);
  if (failure === undefined) {
    return { outcome: await report("finished", () => client.finishDispatch({ params, signal: timeout() }), work) };
  }
  const release = () => client.releaseDispatch({ params, body: { reason: failure }, signal: timeout() });
  return { outcome: await report("released", release, work), reason: failure };
};

/** Three beats a lease. A beat that fails is left to the next one; only a dispatch that is over ends the work. */
const keepLease = async (
  { id, lease_seconds }: Dispatch,
  { client, pacing }: DispatchWork,
  ended: AbortSignal,
  onTaken: () => void,
): Promise<void> => {
  if (lease_seconds === null) return;
  while (!ended.aborted) {
    await pause((lease_seconds * 1_000) / 3, ended);
    if (ended.aborted) return;
    const signal = AbortSignal.any([ended, AbortSignal.timeout(pacing.requestTimeoutMs)]);
    const error = await client.heartbeatDispatch({ params: { id }, signal }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (isOver(error)) return onTaken();
  }
};

/** Tells the service until it has heard; an executor that stops tries once more and leaves the rest to the lease. */
const report = async <O extends "finished" | "released">(
  outcome: O,
  tell: () => Promise<unknown>,
  { condition, pacing, stopped }: DispatchWork,
): Promise<O | "stale" | "unreported"> => {
  for (let failures = 1; ; failures++) {
    const isLastTry = stopped.aborted;
    try {
      await tell();
      condition.reached();
      return outcome;
    } catch (error) {
      if (isOver(error)) {
        condition.reached();
        return "stale";
      }
      condition.failed(error);
      if (isLastTry || isRefused(error)) return "unreported";
      await pause(jittered(growing(pacing.retry, failures)), stopped);
    }
  }
};
