// The executor: one capacity signal at a time says what ended, what runs and what is free; what it brings is worked on.
import { once } from "node:events";
import type { CapacityAnswer, Handoff } from "@task-service/contract";
import { createCapacitySignal, type Standing } from "./capacity-signal.ts";
import { type DispatchEnd, workOnDispatch } from "./dispatch-work.ts";
import { ended, seconds, taken } from "./executor-log.ts";
import { defaultLeaseSeconds, type ExecutorOptions, signalSettings } from "./executor-options.ts";
import { createFarewell } from "./farewell.ts";
import { NameTakenError } from "./name-taken-error.ts";
import { defaultPacing, growing, jittered, pause, retryMs } from "./pacing.ts";
import { printable } from "./printable-text.ts";
import { createServiceCondition } from "./service-condition.ts";

export interface Executor {
  /**
   * Takes no more tasks; resolves when the running workers have ended and the service knows, or has not answered for
   * `drainReportsMs` since the last of them ended.
   */
  drain(): Promise<void>;
  /** Drains without waiting: aborts the running workers and releases their tasks with `reason`, for `stopReportsMs`. */
  stop(reason: string): Promise<void>;
  /**
   * Resolves when it has ended: after {@link drain} or {@link stop}, or by itself, with an error, when another process
   * turned out to use its name. Then it has stopped its runs. Never rejects.
   */
  readonly ended: Promise<NameTakenError | undefined>;
}

/** With all slots in use no signal waits at the service: how often it is asked whether something was revoked. */
const maxBeatMs = 20_000;
/** Ids of dispatches that may come a second time. */
const maxSeen = 1_000;

/** Takes tasks from now on. Survives restarts of the service; at most `slots` runs are under way at any time. */
export const createExecutor = (options: ExecutorOptions): Executor => {
  const { client, slots, leaseSeconds = defaultLeaseSeconds, pacing = defaultPacing } = options;
  /** Titles, reasons and problems are other people's text. */
  const log = (line: string): void => options.log?.(printable(line));
  const beatMs = Math.min(((leaseSeconds ?? Number.POSITIVE_INFINITY) * 1_000) / 3, maxBeatMs);
  const stopping = new AbortController();
  const over = new AbortController();
  const farewell = createFarewell(over);
  const run = farewell.watched(options.run);
  const condition = createServiceCondition(log);
  const signal = createCapacitySignal(client, signalSettings(options), pacing, over.signal);
  /** Once it is known nothing is signalled any more. */
  let rival: NameTakenError | undefined;
  /** Dispatches whose slot is in use; the controller aborts when the service says that one is over. */
  const held = new Map<string, AbortController>();
  const works = new Set<Promise<void>>();
  /** Dispatches whose worker is done and of which the service does not know yet. */
  const finished = new Set<string>();
  const seen = new Set<string>();
  let isDraining = false;
  /** Resolved when a signal without slots has followed all that offered some. */
  let withdrawn = Promise.withResolvers<void>();
  let releases = 0;
  let workerFailures = 0;
  let restsUntilMs = 0;
  let changed = new AbortController();

  const restMs = (): number => restsUntilMs - performance.now();

  const standing = (): Standing => ({
    slots: isDraining || releases > 0 || restMs() > 0 ? 0 : slots - held.size,
    holding: [...held].filter(([, revoked]) => !revoked.signal.aborted).map(([id]) => id),
    finished: [...finished],
  });

  /** A task that is given back is somebody else's: a signal that waits here would be handed it at once. */
  const withdraw = (): Promise<void> => {
    releases += 1;
    changed.abort();
    return rival || over.signal.aborted ? Promise.resolve() : withdrawn.promise;
  };

  const rest = (): void => {
    const ms = growing(pacing.rest, ++workerFailures);
    restsUntilMs = performance.now() + ms;
    if (!isDraining) log(`takes the next task in ${seconds(ms)}: a worker failed`);
  };

  const settle = (id: string, { outcome }: DispatchEnd): void => {
    held.delete(id);
    if (outcome === "finished") {
      finished.add(id);
      workerFailures = 0;
    }
    if (outcome === "released") rest();
    changed.abort();
  };

  const begin = async (handoff: Handoff): Promise<void> => {
    const { id } = handoff.dispatch;
    const startedMs = performance.now();
    const revoked = new AbortController();
    held.set(id, revoked);
    log(taken(handoff));
    let hasWithdrawn = false;
    const beforeRelease = (): Promise<void> => {
      hasWithdrawn = true;
      return withdraw();
    };
    const signals = { stopped: stopping.signal, over: over.signal, revoked: revoked.signal };
    const end = await workOnDispatch(handoff, { client, run, condition, pacing, beforeRelease, ...signals });
    if (hasWithdrawn) releases -= 1;
    log(ended(handoff, end, performance.now() - startedMs));
    settle(id, end);
  };

  const take = ({ dispatches, revoked }: CapacityAnswer): void => {
    for (const handoff of dispatches.filter(({ dispatch }) => !seen.has(dispatch.id))) {
      seen.add(handoff.dispatch.id);
      const work = begin(handoff).finally(() => works.delete(work));
      works.add(work);
    }
    for (const id of [...seen].slice(0, Math.max(0, seen.size - maxSeen))) seen.delete(id);
    for (const id of revoked) held.get(id)?.abort(new Error("the dispatch is over"));
  };

  const send = async (told: Standing): Promise<"news" | "nothing" | Error> => {
    try {
      const answer = await signal(told);
      condition.reached();
      if (!answer) return "news";
      for (const id of told.finished) finished.delete(id);
      take(answer);
      return answer.dispatches.length + answer.revoked.length > 0 ? "news" : "nothing";
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };

  /** All that it held was given back when the other process signalled first. */
  const leaveTo = (error: NameTakenError): Promise<unknown> => {
    rival = error;
    log(error.message);
    isDraining = true;
    stopping.abort(error);
    withdrawn.resolve();
    farewell.begin(pacing.stopReportsMs);
    return Promise.all(works);
  };

  /** A signal that something has changed since is overtaken by the next one and answered empty; its answer counts all the same. */
  const signalUntilOver = async (): Promise<void> => {
    for (let failures = 0; !over.signal.aborted; ) {
      changed = new AbortController();
      const told = standing();
      const askedMs = performance.now();
      const outcome = await Promise.race([send(told), once(changed.signal, "abort")]);
      if (Array.isArray(outcome)) continue;
      if (outcome instanceof NameTakenError) return void (await leaveTo(outcome));
      if (told.slots === 0) {
        withdrawn.resolve();
        withdrawn = Promise.withResolvers();
      }
      const isLast = isDraining && held.size === 0;
      if (outcome instanceof Error) {
        condition.failed(outcome);
        if (isLast && (finished.size === 0 || stopping.signal.aborted)) return;
        await pause(retryMs(outcome, ++failures, pacing), changed.signal);
        continue;
      }
      failures = 0;
      if (outcome === "news") continue;
      if (isLast && finished.size === 0 && told.slots === 0) return;
      if (standing().slots > told.slots) continue;
      const idleMs = askedMs + jittered(pacing.idleMs) - performance.now();
      await pause(told.slots > 0 ? idleMs : restMs() > 0 ? Math.min(beatMs, restMs()) : beatMs, changed.signal);
    }
  };

  over.signal.addEventListener("abort", () => {
    changed.abort();
    withdrawn.resolve();
  });
  const done = signalUntilOver().finally(async () => {
    farewell.end();
    await Promise.all(works);
    for (const id of finished)
      log(`the end of dispatch ${id} was not reported, its task returns when the lease is over`);
  });
  const endWithin = (ms: number): Promise<void> => {
    isDraining = true;
    farewell.begin(ms);
    changed.abort();
    return done;
  };
  return {
    ended: done.then(() => rival),
    drain: () => endWithin(pacing.drainReportsMs),
    stop: (reason) => {
      stopping.abort(new Error(reason));
      return endWithin(pacing.stopReportsMs);
    },
  };
};
