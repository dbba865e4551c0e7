// The life of each task, drawn by chance: created some time in a month, taken by an executor or still waiting, changed now and then.
import {
  type Actor,
  type Crowd,
  creators,
  executorActor,
  executors,
  type FilledAgentType,
  labels,
  people,
  priorities,
  rareCreator,
  rareLabel,
} from "./crowd.ts";
import { createLineage } from "./lineage.ts";
import type { PromptSource } from "./prompt-source.ts";
import { idAt, type RandomSource } from "./random-source.ts";
import type { DispatchRow, TaskRow } from "./task-rows.ts";

export interface Life {
  task: TaskRow;
  dispatches: DispatchRow[];
}

export const filledDays = 30;
const minuteMs = 60_000;
const spanMs = filledDays * 24 * 60 * minuteMs;
/** So few in a million have what is marked as rare. */
const rareShare = 0.00002;

interface Assignment {
  organization_id: string;
  assignee_type: "agent" | "user" | null;
  assignee: string | null;
  agentType: FilledAgentType | undefined;
}

const drawAssignment = (random: RandomSource, crowd: Crowd): Assignment => {
  const kind = random.next();
  if (kind < 0.08) {
    const organization_id = random.pick(crowd.organizations, 2);
    const isPersons = kind < 0.06;
    const assignee = isPersons ? random.pick(people, 2) : null;
    return { organization_id, assignee_type: isPersons ? "user" : null, assignee, agentType: undefined };
  }
  const agentType = random.chance(0.001) ? random.pick(crowd.quietAgentTypes) : random.pick(crowd.agentTypes, 3);
  return { organization_id: agentType.organization_id, assignee_type: "agent", assignee: agentType.id, agentType };
};

const drawPriority = (random: RandomSource): number => {
  // Most take what the screens offer, some a number of their own, a few any number at all.
  const kind = random.next();
  if (kind < 0.01) return random.below(2001) - 1000;
  return kind < 0.08 ? random.below(31) - 15 : random.pick(priorities);
};

const drawLabels = (random: RandomSource): string[] => {
  const drawn = Array.from({ length: random.below(5) }, () => random.pick(labels, 2));
  return [...new Set([...drawn, ...(random.chance(rareShare) ? [rareLabel] : [])])];
};

const drawGit = (random: RandomSource, createdMs: number): Pick<TaskRow, "git_link" | "git_state"> => {
  if (!random.chance(0.1)) return { git_link: null, git_state: null };
  const number = 1 + random.below(5000);
  const repo = `repository-${random.below(40, 2)}`;
  const kind = random.chance(0.6) ? "pull_request" : "issue";
  const url = `http://localhost:8084/owner/${repo}/${kind === "issue" ? "issues" : "pulls"}/${number}`;
  const git_link = { url, kind, owner: "owner", repo, number };
  if (random.chance(0.1)) return { git_link, git_state: null };
  const ended = kind === "issue" ? "closed" : random.pick(["closed", "merged", "merged"]);
  const state = random.chance(0.002) ? "unreadable" : random.chance(0.4) ? "open" : ended;
  const at = new Date(createdMs).toISOString();
  const git_state = {
    kind,
    state,
    draft: false,
    title: `Number ${number}`,
    labels: [],
    html_url: url,
    updated_at: at,
    synced_at: at,
  };
  return { git_link, git_state };
};

/** A little later than `fromMs`, but before now. */
const drawLater = (random: RandomSource, fromMs: number, meanMs: number, nowMs: number): number =>
  fromMs + Math.min(random.wait(meanMs), (nowMs - fromMs) * 0.9 * random.next());

const lostOutcomes = ["released", "expired", "lost", "disconnected"] as const;
const maxLost = 5;

/** Which ends the dispatches of a task came to, in their order; `null` is live. */
const drawOutcomes = (random: RandomSource, isQueued: boolean, age: number): (string | null)[] => {
  if (isQueued) return random.chance(0.03) ? [random.pick(lostOutcomes)] : [];
  if (age < 0.1 && random.chance(0.08)) return [null];
  if (random.chance(0.0003)) return Array.from({ length: maxLost }, () => "lost");
  return random.chance(0.05) ? [random.pick(lostOutcomes), "finished"] : ["finished"];
};

/** The newest wait with a high probability, and some of the older ones still. */
const isWaiting = (random: RandomSource, age: number): boolean => random.chance(0.886 * Math.exp(-age / 0.25));

const actorOf = (sub: string): Actor => ({ sub, name: sub });

export interface LifeSource {
  /** Tasks are asked for in the order of their numbers. */
  lifeOf(n: number): Life;
}

export const createLives = (
  random: RandomSource,
  crowd: Crowd,
  { promptOf }: PromptSource,
  { tasks, nowMs }: { tasks: number; nowMs: number },
): LifeSource => {
  const lineageOf = createLineage(random);
  let lastPlace = 0;

  const dispatchesOf = (
    task: TaskRow,
    { id, version_id }: FilledAgentType,
    outcomes: (string | null)[],
  ): DispatchRow[] => {
    let endedMs = Date.parse(task.created_at);
    const meanWaitMs = (task.priority >= 50 ? 10 : task.priority >= 0 ? 120 : 1200) * minuteMs;
    return outcomes.map((outcome, index): DispatchRow => {
      const dispatchedMs = drawLater(random, endedMs, meanWaitMs, nowMs);
      endedMs = drawLater(random, dispatchedMs, 12 * minuteMs, nowMs);
      const dispatched_at = new Date(dispatchedMs).toISOString();
      const ended_at = outcome === null ? null : new Date(endedMs).toISOString();
      const dispatchId = idAt(dispatchedMs, random);
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

  const lifeOf = (n: number): Life => {
    const age = 1 - n / tasks;
    // Tasks come one after the other, each at any moment of the time that it has.
    const createdMs = Math.floor(nowMs - spanMs * age + (spanMs / tasks) * random.next() * 0.9);
    const id = idAt(createdMs, random);
    const created_at = new Date(createdMs).toISOString();
    const { agentType, ...assignment } = drawAssignment(random, crowd);
    const prompt = promptOf(n);
    const isQueued = agentType === undefined || isWaiting(random, age);
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
      labels: drawLabels(random),
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
      created_by: actorOf(random.chance(rareShare) ? rareCreator : random.pick(creators, 2)),
      created_at,
      updated_at: created_at,
      queued_at: created_at,
      version: 1,
    };
    if (!agentType) return { task, dispatches: [] };
    const dispatches = dispatchesOf(task, agentType, drawOutcomes(random, isQueued, age));
    return { task: afterDispatches(random, task, dispatches, nowMs), dispatches };
  };
  return { lifeOf };
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
      ? new Date(drawLater(random, Date.parse(changed) + 1, 60 * minuteMs, nowMs)).toISOString()
      : changed,
    version:
      1 +
      dispatches.reduce((sum, { ended_at }) => sum + (ended_at ? 2 : 1), 0) +
      usage.length +
      (isChangedLater ? 1 : 0),
  };
};
