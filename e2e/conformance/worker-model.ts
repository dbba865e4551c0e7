// What becomes of a task in an executor's hands: mostly a few milliseconds of work, sometimes trouble.
import { setTimeout as delay } from "node:timers/promises";
import type { Client, Handoff } from "@task-service/contract";
import { attempt, type Caller } from "./attempt.ts";
import { between } from "./seeded-random.ts";

/** One process of an executor, from its start to its end. */
export interface Life extends Caller {
  readonly name: string;
  /** Counts the processes that had this name. */
  readonly incarnation: number;
  readonly client: Client;
  readonly slots: number;
  readonly agentTypes: readonly string[] | undefined;
  readonly leaseSeconds: number | undefined;
  /** Of signals; polls always have one. Without it a signal waits for the answer to the one before. */
  readonly usesClaimKeys: boolean;
  readonly waitSeconds: number;
  /** Whether it may crash or come late: not at the end of a run, which would never come. */
  readonly disturbs: () => boolean;
  /** Ends this process: it forgets everything. */
  readonly crash: () => void;
}

export type WorkEnd = "finished" | "released";

/** Longer than the shortest lease and the sweep behind it. */
const lateMs = 12_000;

/** Tells the log that a hand-over has arrived, once for each dispatch. */
export const receive = ({ log, name, incarnation }: Life, { dispatch, task }: Handoff, sentMs: number): void => {
  const isReplay = Date.parse(dispatch.dispatched_at) < sentMs - 1;
  log.receipts.push({ dispatch_id: dispatch.id, task_id: task.id, executor: name, incarnation, isReplay });
};

type Fate = WorkEnd | "late" | "crash";

const drawFate = ({ disturbs, random }: Life): Fate => {
  const drawn = random();
  if (drawn < 0.007 && disturbs()) return drawn < 0.002 ? "late" : "crash";
  return drawn < 0.05 ? "released" : "finished";
};

/** Resolves to how the worker ends; undefined if its executor's process is over before that. */
export const work = async (life: Life): Promise<WorkEnd | undefined> => {
  const fate = drawFate(life);
  const workMs = fate === "late" ? lateMs : between(life.random, 1, 8);
  await delay(workMs, undefined, { signal: life.over }).catch(() => undefined);
  if (fate === "crash") life.crash();
  if (life.over.aborted) return undefined;
  return fate === "released" ? "released" : "finished";
};

/** Says how the worker ended until an answer has come; a dispatch that is over is nobody's any more. */
export const reportEnd = async (life: Life, dispatchId: string, end: WorkEnd): Promise<void> => {
  const { finishDispatch, releaseDispatch } = life.client;
  const input = { params: { id: dispatchId } };
  while (!life.over.aborted) {
    const outcome = await attempt(life, ["stale_dispatch"], (signal) =>
      end === "finished" ? finishDispatch({ ...input, signal }) : releaseDispatch({ ...input, signal }),
    );
    if (outcome.kind === "answered") life.log.ends.push({ dispatch_id: dispatchId, outcome: end });
    if (outcome.kind !== "unknown") return;
  }
};
