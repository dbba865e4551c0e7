// Whether a run kept what D-26 promises: judged from the service's history and from what its clients saw.
import type { Outcome } from "@task-service/contract";
import type { RunLog } from "./executor-log.ts";
import { findPassings, type Inversion } from "./order-checker.ts";
import type { RunHistory } from "./run-history.ts";

/** How a hand-over whose answer never arrived was made good: its key repeated, or its dispatch ended. */
export type Healing = "claim key" | "held set" | "lease" | "disconnected" | "requeued";

export interface Verdict {
  tasks: number;
  received: number;
  /** Tasks answered with 201, or there at the end, that no executor ever received. */
  lost: string[];
  /** Tasks that were handed over while an earlier dispatch of them was live, or received by two executors as one dispatch. */
  doubled: string[];
  inversions: Inversion[];
  /** Passings too short to prove anything: the task may have been locked. */
  shortPassings: number;
  healed: Record<Healing, number>;
  /** Dispatches nobody received and nothing ended. */
  unhealed: string[];
  /** Ends that were answered with success and are not in the history: by dispatch. */
  forgottenEnds: string[];
  /** Tasks that are not done at the end. */
  unfinished: string[];
  surprises: readonly string[];
}

/** A passing is an inversion if it lasts `provenMs` or longer: how long a claim that is rolled back may hold a task, or 0 if none is. */
export const judge = (history: RunHistory, log: RunLog, provenMs: number): Verdict => {
  const { tasks, dispatches, events } = history;
  const received = new Set(log.receipts.map(({ task_id }) => task_id));
  const { healed, unhealed } = findHealings(history, log);
  const passings = findPassings(history, log.acked, log.filters);
  const inversions = passings.filter(({ lastsMs }) => lastsMs >= provenMs);
  const outcomes = new Map(dispatches.map(({ id, outcome }) => [id, outcome]));
  const all = new Set([...tasks.map(({ id }) => id), ...log.acked.map(({ task_id }) => task_id)]);
  return {
    tasks: all.size,
    received: received.size,
    lost: [...all.difference(received)],
    doubled: [...new Set([...findDoubles(events), ...findSharedReceipts(log)])],
    inversions,
    shortPassings: passings.length - inversions.length,
    healed,
    unhealed,
    forgottenEnds: log.ends
      .filter(({ dispatch_id, outcome }) => outcomes.get(dispatch_id) !== outcome)
      .map(({ dispatch_id }) => dispatch_id),
    unfinished: tasks.filter(({ is_done }) => !is_done).map(({ id }) => id),
    surprises: log.surprises,
  };
};

/** Tasks whose history has two hand-overs with nothing between them that ended the first. Needs no clock: ids of events of one task ascend. */
const findDoubles = (events: RunHistory["events"]): string[] => {
  const live = new Set<string>();
  const doubled: string[] = [];
  for (const { task_id, type } of events) {
    if (type === "task.dispatched" && live.has(task_id)) doubled.push(task_id);
    if (type === "task.dispatched") live.add(task_id);
    else if (endsDispatch.has(type)) live.delete(task_id);
  }
  return doubled;
};

const endsDispatch: ReadonlySet<string> = new Set([
  "task.finished",
  "task.released",
  "task.lost",
  "task.expired",
  "task.disconnected",
  "task.requeued",
  "task.deleted",
]);

/** Tasks of which two processes hold the same dispatch. */
const findSharedReceipts = ({ receipts }: RunLog): string[] => {
  const holders = Map.groupBy(receipts, ({ dispatch_id }) => dispatch_id);
  return [...holders.values()].flatMap((all) => {
    const processes = new Set(all.map(({ executor, incarnation }) => `${executor} ${incarnation}`));
    return processes.size > 1 && all[0] ? [all[0].task_id] : [];
  });
};

const healings: Partial<Record<Outcome, Healing>> = {
  lost: "held set",
  expired: "lease",
  disconnected: "disconnected",
  requeued: "requeued",
};

const findHealings = ({ dispatches }: RunHistory, { receipts }: RunLog): Pick<Verdict, "healed" | "unhealed"> => {
  const healed = { "claim key": 0, "held set": 0, lease: 0, disconnected: 0, requeued: 0 };
  const unhealed: string[] = [];
  const received = new Set(receipts.map(({ dispatch_id }) => dispatch_id));
  healed["claim key"] = receipts.filter(({ isReplay }) => isReplay).length;
  for (const { id, outcome } of dispatches) {
    if (received.has(id)) continue;
    const rule = outcome && healings[outcome];
    if (rule) healed[rule] += 1;
    else unhealed.push(id);
  }
  return { healed, unhealed };
};
