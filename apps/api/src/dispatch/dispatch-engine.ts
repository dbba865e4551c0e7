// What hands out tasks in one process: the dispatcher, the signals that wait, what replicas tell each other, and the beat that needs none of it.
import { serviceActor } from "../events/event-queries.ts";
import type { Database } from "../platform/database.ts";
import type { Hit } from "../platform/failpoints.ts";
import type { Logger } from "../platform/logger.ts";
import type { Notifications, Topic } from "../platform/notifications.ts";
import { repeat } from "../platform/repetition.ts";
import { createSingleFlight } from "../platform/single-flight.ts";
import type { QueueSignals } from "../tasks/queue-signals.ts";
import { endDispatches, tellEnded } from "./dispatch-ends.ts";
import { createDispatcher, type Dispatcher } from "./dispatcher.ts";
import { forgetExecutors, recordObserved } from "./executor-queries.ts";
import { sweepLeases } from "./lease-sweeper.ts";
import { createLowMarks } from "./low-marks.ts";
import { createSightings } from "./sightings.ts";
import type { Offer } from "./waiting-line.ts";
import { createWaitingSignals, type WaitingSignals } from "./waiting-signals.ts";

export interface DispatchEngine {
  /** Offers an executor's slots, and remembers that it was seen. */
  offer(offer: Offer): ReturnType<Dispatcher["offer"]>;
  /** The claim of another request of this process with the same claim key. */
  claimUnderWay(offer: Offer): Promise<unknown> | undefined;
  /**
   * Returns tasks that were handed over to nobody, unless their dispatch was heard of meanwhile: then somebody did
   * receive it. Never fails: what cannot be taken back is healed by claim key, held set or lease.
   */
  takeBack(dispatchIds: readonly string[]): Promise<void>;
  readonly waitingSignals: WaitingSignals;
  /** How many requests wait for a task in this process. */
  waitingRequests(): number;
  /** What writers of tasks and dispatches tell after their commits; replicas hear it too. */
  readonly signals: QueueSignals;
  /** Begins to listen and to repeat what must not depend on hints. */
  start(): void;
  /** Answers who waits, empty, and claims no more. Waits for no statement. */
  drain(): void;
  close(): Promise<void>;
}

export interface EngineDeps {
  database: Database;
  notifications: Notifications;
  maxLostDispatches: number;
  log: Logger;
  hit: Hit;
  /** Called when another replica tells that something happened. */
  onHint?: () => void;
}

const keyOf = ({ actor, executor, claimKey }: Offer): string | undefined =>
  claimKey === undefined ? undefined : [claimKey, executor, actor.sub].join("\0");

const beatMs = 1000;
const hourMs = 3_600_000;

export const createDispatchEngine = (deps: EngineDeps): DispatchEngine => {
  const { database, notifications, maxLostDispatches, log, hit, onHint } = deps;
  const { dispatch, background } = database;
  const lowMarks = createLowMarks(dispatch);
  const takeBack = async (ids: readonly string[]): Promise<void> => {
    try {
      const reason = "The caller was gone before its answer was written.";
      const end = { outcome: "disconnected", reason, actor: serviceActor, maxLostDispatches } as const;
      const ended = await endDispatches(dispatch, ids, end);
      log.info({ dispatches: ended.map(({ id }) => id) }, "taken back from callers that were gone");
      tellEnded(signals, ended);
    } catch (error) {
      log.warn({ err: error, dispatches: ids }, "could not be taken back; claim key, held set or lease will heal it");
    }
  };
  const dispatcher = createDispatcher({ sql: dispatch, lowMarks, log, hit, takeBack });
  const waitingSignals = createWaitingSignals(background);
  const sightings = createSightings();
  const underWay = new Map<string, Promise<unknown>>();
  const stops: (() => void)[] = [];

  const signals: QueueSignals = {
    queued: (places) => {
      dispatcher.queued(places);
      notifications.notify("queued");
    },
    ended: (dispatchIds) => {
      waitingSignals.ended(dispatchIds);
      notifications.notify("ended");
    },
  };

  const look: Record<Topic, () => Promise<void>> = {
    queued: createSingleFlight(() => dispatcher.look()),
    ended: createSingleFlight(() => waitingSignals.look()),
  };
  const hear = (topic: Topic): void => {
    onHint?.();
    look[topic]().catch((error: unknown) => log.debug({ err: error }, "a hint was of no use"));
  };

  const sweep = async (): Promise<void> => {
    const ended = await sweepLeases({ sql: background, signals, maxLostDispatches, hit });
    if (ended > 0) log.info({ ended }, "leases expired");
  };

  return {
    offer: (offer) => {
      sightings.see(offer);
      const standing = dispatcher.offer(offer);
      const key = keyOf(offer);
      if (key !== undefined) {
        underWay.set(key, standing.end);
        const forget = () => underWay.delete(key);
        standing.end.then(forget, forget);
      }
      return standing;
    },
    claimUnderWay: (offer) => underWay.get(keyOf(offer) ?? ""),
    takeBack,
    waitingSignals,
    waitingRequests: () => [...dispatcher.waiting()].length,
    signals,
    start: () => {
      notifications.listen(hear).catch((error: unknown) => log.warn({ err: error }, "hints cannot be heard yet"));
      stops.push(
        repeat("looking for queued tasks", beatMs, log, look.queued),
        repeat("looking after waiting signals", beatMs, log, look.ended),
        repeat("moving the low marks", beatMs, log, lowMarks.refresh),
        repeat("sweeping leases", beatMs, log, sweep),
        repeat("noting executors", beatMs, log, () => recordObserved(background, sightings.take(dispatcher.waiting()))),
        repeat("forgetting executors", hourMs, log, () => forgetExecutors(background)),
      );
    },
    drain: () => {
      for (const stop of stops.splice(0)) stop();
      dispatcher.close();
    },
    close: () => notifications.close(),
  };
};
