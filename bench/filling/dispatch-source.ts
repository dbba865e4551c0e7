// What executors did with a task, drawn by chance: most finished it at the first attempt, some lost it, a few have it now.
import { executorActor, executors, type FilledAgentType } from "./crowd.ts";
import { idAt, type RandomSource } from "./random-source.ts";
import type { DispatchRow, TaskRow } from "./task-rows.ts";

const minuteMs = 60_000;
const workMs = 12 * minuteMs;
const lostOutcomes = ["released", "expired", "lost", "disconnected"] as const;
/** After so many in a row a task needs attention. */
export const maxLost = 5;

/** The newest wait with a high probability, and some of the older ones still: 217 of a thousand in all. `age` is from 0 to 1. */
export const isWaiting = (random: RandomSource, age: number): boolean => random.chance(0.886 * Math.exp(-age / 0.25));

/** To which ends the dispatches of a task came, in their order; null: it is live. */
const drawOutcomes = (random: RandomSource, isQueued: boolean, age: number): (string | null)[] => {
  if (isQueued) return random.chance(0.03) ? [random.pick(lostOutcomes)] : [];
  if (age < 0.1 && random.chance(0.08)) return [null];
  if (random.chance(0.0003)) return Array.from({ length: maxLost }, () => "lost");
  return random.chance(0.05) ? [random.pick(lostOutcomes), "finished"] : ["finished"];
};

/** A while after `fromMs`, but before now. */
export const drawLater = (random: RandomSource, fromMs: number, meanMs: number, nowMs: number): number =>
  fromMs + Math.min(random.wait(meanMs), (nowMs - fromMs) * 0.9 * random.next());

/** Who is urgent waits less. */
const meanWaitMs = (priority: number): number => {
  if (priority >= 50) return 10 * minuteMs;
  return (priority >= 0 ? 120 : 1200) * minuteMs;
};

/** All dispatches of a task of this agent type, the oldest first. */
export const drawDispatches = (
  random: RandomSource,
  task: TaskRow,
  { id, version_id }: FilledAgentType,
  age: number,
  nowMs: number,
): DispatchRow[] => {
  let endedMs = Date.parse(task.created_at);
  return drawOutcomes(random, task.state === "queued", age).map((outcome, index): DispatchRow => {
    const dispatchedMs = drawLater(random, endedMs, meanWaitMs(task.priority), nowMs);
    endedMs = drawLater(random, dispatchedMs, workMs, nowMs);
    const dispatchId = idAt(dispatchedMs, random);
    const dispatched_at = new Date(dispatchedMs).toISOString();
    const ended_at = outcome === null ? null : new Date(endedMs).toISOString();
    const hasUsage = outcome === "finished" && random.chance(0.6);
    return {
      id: dispatchId,
      task_id: task.id,
      organization_id: task.organization_id,
      agent_type_id: id,
      agent_type_version_id: version_id,
      queue_seq: task.queue_seq,
      executor: random.pick(executors, 1.5),
      actor: executorActor,
      claim_key: dispatchId,
      attempt: index + 1,
      dispatched_at,
      last_heard_at: ended_at ?? dispatched_at,
      ended_at,
      outcome,
      input_tokens: hasUsage ? 1000 + random.below(200_000) : 0,
      output_tokens: hasUsage ? 100 + random.below(20_000) : 0,
    };
  });
};
