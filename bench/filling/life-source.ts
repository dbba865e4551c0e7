// The life of each task, drawn by chance: created some time in a month, taken by an executor or still waiting, changed now and then.
import { type Crowd, creators, doneLabel, goneCreator, rareCreator } from "./crowd.ts";
import { drawDispatches, drawLater, isWaiting, maxLost } from "./dispatch-source.ts";
import { createLineage } from "./lineage.ts";
import { idAt, type RandomSource } from "./random-source.ts";
import type { DispatchRow, TaskRow } from "./task-rows.ts";
import { drawAssignment, drawGit, drawLabels, drawPriority, rareShare } from "./task-traits.ts";

export interface Life {
  task: TaskRow;
  dispatches: DispatchRow[];
}

export const filledDays = 30;
/** Shares of all tasks, and of those that are done. */
const goneShare = 0.003;
const doneShare = 0.006;
const hourMs = 3_600_000;
const spanMs = filledDays * 24 * hourMs;

/** Answers the life of the n-th task; to be asked in the order of their numbers. */
export const createLives = (
  random: RandomSource,
  crowd: Crowd,
  promptOf: (n: number) => string,
  { tasks, nowMs }: { tasks: number; nowMs: number },
): ((n: number) => Life) => {
  const lineageOf = createLineage(random);
  let lastPlace = 0;
  return (n) => {
    const age = 1 - n / tasks;
    // Tasks come one after the other, each at any moment of the time that it has.
    const createdMs = Math.floor(nowMs - spanMs * age + (spanMs / tasks) * random.next() * 0.9);
    const id = idAt(createdMs, random);
    const created_at = new Date(createdMs).toISOString();
    const { agentType, ...assignment } = drawAssignment(random, crowd);
    const prompt = promptOf(n);
    const isQueued = agentType === undefined || isWaiting(random, age);
    const isOldest = n < tasks * goneShare;
    const creator = random.chance(rareShare) ? rareCreator : isOldest ? goneCreator : random.pick(creators, 2);
    const isLabelledDone = random.chance(isQueued ? rareShare : doneShare);
    const task: TaskRow = {
      ...assignment,
      ...lineageOf(n, id),
      ...drawGit(random, createdMs),
      id,
      title: prompt.slice(0, prompt.indexOf("\n")),
      prompt,
      priority: drawPriority(random),
      state: isQueued ? "queued" : "dispatched",
      needs_attention: false,
      labels: [...drawLabels(random), ...(isLabelledDone ? [doneLabel] : [])],
      result: null,
      input_tokens: 0,
      output_tokens: 0,
      dispatch_count: 0,
      current_dispatch_id: null,
      executor: null,
      dispatched_at: null,
      dispatch_ended_at: null,
      failures: 0,
      queue_seq: agentType ? ++lastPlace : null,
      note_count: 0,
      created_by: { sub: creator, name: creator },
      created_at,
      updated_at: created_at,
      queued_at: created_at,
      version: 1,
    };
    const dispatches = agentType ? drawDispatches(random, task, agentType, age, nowMs) : [];
    return { task: afterDispatches(random, task, dispatches, nowMs), dispatches };
  };
};

/** The task as its dispatches, and perhaps a change after them, have left it. */
const afterDispatches = (random: RandomSource, task: TaskRow, dispatches: DispatchRow[], nowMs: number): TaskRow => {
  const last = dispatches.at(-1);
  const lost = dispatches.filter(({ outcome }) => outcome === "lost").length;
  const usage = dispatches.filter(({ input_tokens }) => input_tokens > 0);
  const changed = last ? (last.ended_at ?? last.dispatched_at) : task.created_at;
  const isChangedLater = random.chance(0.05);
  return {
    ...task,
    needs_attention: lost === maxLost,
    failures: last?.outcome === "finished" ? 0 : dispatches.length,
    dispatch_count: dispatches.length,
    ...(last && task.state === "queued" && { queued_at: changed }),
    ...(last &&
      task.state === "dispatched" && {
        current_dispatch_id: last.id,
        executor: last.executor,
        dispatched_at: last.dispatched_at,
        dispatch_ended_at: last.ended_at,
        input_tokens: last.input_tokens,
        output_tokens: last.output_tokens,
        ...(last.outcome === "finished" && random.chance(0.5) && { result: "Done; see the pull request." }),
      }),
    note_count: last && random.chance(0.03) ? 1 + random.below(3) : 0,
    updated_at: isChangedLater
      ? new Date(drawLater(random, Date.parse(changed) + 1, hourMs, nowMs)).toISOString()
      : changed,
    version:
      1 +
      dispatches.reduce((sum, { ended_at }) => sum + (ended_at ? 2 : 1), 0) +
      usage.length +
      (isChangedLater ? 1 : 0),
  };
};
