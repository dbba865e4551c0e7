// The executor: fills its slots with tasks, one worker each, and says what becomes of them.
import { type Client, type Handoff, ProblemError } from "@task-service/contract";
import { type DispatchClient, type DispatchEnd, type RunTask, workOnDispatch } from "./dispatch-work.ts";
import { defaultPacing, growing, jittered, type Pacing, pause } from "./pacing.ts";
import { createServiceCondition } from "./service-condition.ts";
import { createTaskClaim } from "./task-claim.ts";

export interface TaskFilters {
  /** Id or slug. */
  readonly organization?: string;
  /** Ids, or slugs if `organization` is given. */
  readonly agentTypes?: readonly string[];
}

export interface ExecutorOptions {
  readonly client: Pick<Client, "takeNextTask"> & DispatchClient;
  /** What the service shows as the executor of a task: 1 to 100 visible characters, the same after a restart. */
  readonly name: string;
  /** How many tasks are worked on at once. */
  readonly slots: number;
  readonly filters?: TaskFilters;
  readonly run: RunTask;
  /** Takes one line; never a prompt, a persona or a token. */
  readonly log: (line: string) => void;
  /** How long the service waits for a heartbeat before it gives the task to somebody else; 10 to 86,400, default 60. */
  readonly leaseSeconds?: number;
  readonly pacing?: Pacing;
}

export interface Executor {
  /** Takes no more tasks; resolves when the running workers have ended and the service knows. */
  drain(): Promise<void>;
  /** Drains without waiting: aborts the running workers and releases their tasks with `reason`. */
  stop(reason: string): Promise<void>;
}

/** Starts taking tasks at once. Survives restarts of the service; at most `slots` runs are under way at any time. */
export const startExecutor = (options: ExecutorOptions): Executor => {
  const { client, slots, run, log, pacing = defaultPacing } = options;
  const draining = new AbortController();
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const condition = createServiceCondition(log);
  const claim = createTaskClaim(client, nextQuery(options), pacing, draining.signal);
  const work = { client, run, condition, pacing, stopped: stopping.signal };
  let onFreeSlot = (): void => undefined;
  let workerFailures = 0;
  let restsUntilMs = 0;

  const begin = (handoff: Handoff): void => {
    const startedMs = performance.now();
    log(`took ${handoff.task.id} ${describe(handoff)}`);
    const done = workOnDispatch(handoff, work).then((end) => {
      running.delete(done);
      log(`ended ${handoff.task.id} after ${seconds(performance.now() - startedMs)}: ${describeEnd(end)}`);
      if (end.outcome === "finished") workerFailures = 0;
      if (end.outcome === "released") rest();
      onFreeSlot();
    });
    running.add(done);
  };

  const rest = (): void => {
    const ms = growing(pacing.rest, ++workerFailures);
    restsUntilMs = performance.now() + ms;
    if (!draining.signal.aborted) log(`takes the next task in ${seconds(ms)}: a worker failed`);
  };

  const freeSlot = (): Promise<void> =>
    new Promise((resolve) => {
      onFreeSlot = resolve;
    });

  const takeTasks = async (): Promise<void> => {
    let claimFailures = 0;
    while (!draining.signal.aborted) {
      if (running.size >= slots) await freeSlot();
      await pause(restsUntilMs - performance.now(), draining.signal);
      if (draining.signal.aborted) return;
      const askedMs = performance.now();
      try {
        const handoff = await claim();
        condition.reached();
        claimFailures = 0;
        if (handoff) begin(handoff);
        else await pause(askedMs + jittered(pacing.idleMs) - performance.now(), draining.signal);
      } catch (error) {
        if (draining.signal.aborted) return;
        condition.failed(error);
        await pause(retryMs(error, ++claimFailures, pacing), draining.signal);
      }
    }
  };

  const taking = takeTasks();
  const drain = async (): Promise<void> => {
    draining.abort();
    await taking;
    await Promise.all(running);
  };

  return {
    drain,
    stop: (reason) => {
      stopping.abort(new Error(reason));
      return drain();
    },
  };
};

const nextQuery = ({ name, filters = {}, leaseSeconds = 60 }: ExecutorOptions) => ({
  executor: name,
  lease_seconds: leaseSeconds,
  ...(filters.organization && { organization: filters.organization }),
  ...(filters.agentTypes?.length && { agent_type: [...filters.agentTypes] }),
});

const retryMs = (error: unknown, failures: number, { retry, notMemberMs }: Pacing): number => {
  if (!(error instanceof ProblemError)) return jittered(growing(retry, failures));
  if (error.code === "not_a_member") return jittered(notMemberMs);
  return Math.max(jittered(growing(retry, failures)), (error.retryAfterSeconds ?? 0) * 1_000);
};

/** The title is somebody else's text: quoted and escaped, it stays one line. */
const describe = ({ task, agent_type, dispatch }: Handoff): string =>
  `${JSON.stringify(task.title)} (priority ${task.priority}, ${agent_type.slug}, attempt ${dispatch.attempt})`;

const describeEnd = ({ outcome, reason }: DispatchEnd): string => {
  if (outcome === "stale") return "stopped and forgotten, its dispatch is over";
  if (outcome === "unreported") return "not reported, the task returns when its lease is over";
  return reason === undefined ? outcome : `${outcome}, ${reason}`;
};

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
