// A whole run: tasks through executors, a fault proxy and replicas that are killed, and the verdict on what came of it.
import { findViolations } from "@task-service/api/test/queue-invariants.ts";
import type { Client } from "@task-service/contract";
import { startChaos } from "./chaos-driver.ts";
import { createRunLog } from "./executor-log.ts";
import { startExecutor } from "./executor-model.ts";
import { createFaultPlan, type FaultKind } from "./fault-plan.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { judge, type Verdict } from "./history-checker.ts";
import { type Service, startService } from "./replicas.ts";
import { characterOf, produce } from "./run-cast.ts";
import { countDeadlocks, countUnfinished, readHistory } from "./run-history.ts";
import { findingsOf } from "./run-summary.ts";
import { seededRandom } from "./seeded-random.ts";

/** What goes wrong on purpose, beside failpoints in the replicas and accidents of the executors. */
export interface Trouble {
  /** 10: the answer of every tenth request is spoilt. */
  everyNth: number;
  /** A replica is killed after so long, half of it more or less. */
  killEveryMs: number;
  databaseRestarts: number;
}

export interface RunOptions {
  seed: number;
  tasks: number;
  replicas: number;
  executors: number;
  /** Without it no claim is rolled back, and the order is proved to the last hand-over. */
  trouble: Trouble | undefined;
  /** After so long the run is judged as it stands. */
  maxMs: number;
}

export interface RunResult extends Verdict {
  seed: number;
  seconds: number;
  /** Not everything was done when `maxMs` were over. */
  isLate: boolean;
  faults: Readonly<Record<FaultKind, number>>;
  kills: number;
  databaseRestarts: number;
  executorCrashes: number;
  /** Tasks for which the invariants of the tables do not hold, with the fault. */
  violations: string[];
  deadlocks: number;
  /** What the replicas said. */
  logDir: string;
}

/** The run of `npm run conformance`. */
export const fullRun: Omit<RunOptions, "seed"> = {
  tasks: 20_000,
  replicas: 3,
  executors: 30,
  trouble: { everyNth: 10, killEveryMs: 4000, databaseRestarts: 2 },
  maxMs: 900_000,
};

/** The one that is part of `npm test`. */
export const shortRun: Omit<RunOptions, "seed"> = {
  tasks: 1500,
  replicas: 2,
  executors: 12,
  trouble: { everyNth: 10, killEveryMs: 3000, databaseRestarts: 1 },
  maxMs: 180_000,
};

const agentTypes = ["planner", "developer", "reviewer", "tester"] as const;
/** Shorter than the longest stall. */
const clientTimeoutMs = 6000;
/** Nobody gives up and repeats a key whose first claim is still under way. */
const calmTimeoutMs = 60_000;
/** A claim that is rolled back holds tasks no longer: it waits for another claim's commit, or a second for a deadlock to be seen. */
const maxRolledBackMs = 2000;
const lookMs = 250;
/** Trouble in executors stops when so much is done: what it breaks needs a lease's length to heal. */
const calmFrom = 0.7;
const failpoints = [
  "claim-committed=crash@0.0005",
  "claim-committed=fail@0.005",
  "claim-begun=delay:40@0.005",
  "signal-committed=fail@0.005",
  "create-committed=fail@0.01",
  "end-committed=fail@0.01",
  "sweep-committed=fail@0.05",
].join(",");

/** Starts everything, lets it run until every task is done, judges, and ends everything it started. Logs stay if there are findings. */
export const runConformance = async (options: RunOptions): Promise<RunResult> => {
  const environment = options.trouble && { FAILPOINTS: failpoints };
  const service = await startService({ replicas: options.replicas, ...(environment && { environment }) });
  let keepsLogs = true;
  try {
    const result = await runOn(service, options);
    keepsLogs = findingsOf(result).length > 0;
    return result;
  } finally {
    await service.stop({ keepsLogs });
  }
};

const runOn = async (service: Service, options: RunOptions): Promise<RunResult> => {
  const begunMs = performance.now();
  const { seed, tasks, trouble, maxMs } = options;
  const random = seededRandom(seed);
  const log = createRunLog();
  const fleet = await service.createFleet("conformance", agentTypes);
  const plan = createFaultPlan({
    random: seededRandom(seed + 1),
    everyNth: trouble?.everyNth ?? Number.POSITIVE_INFINITY,
    clientTimeoutMs,
  });
  const upstreams = service.replicas.map(({ port }) => port);
  const proxy = await startFaultProxy({ port: service.freePort, upstreams, plan });
  const client = service.clientAt(proxy.origin);
  const over = AbortSignal.timeout(maxMs);
  const progress = () => log.ends.length / tasks;

  const types = fleet.agentTypes.map(({ id }) => id);
  const common = { client, log, timeoutMs: trouble ? clientTimeoutMs : calmTimeoutMs };
  const producing = produce(common, { types, tasks, over, seed });
  const executors = Array.from({ length: options.executors }, (_, index) =>
    startExecutor({
      ...common,
      ...characterOf(index, types, seededRandom(seed + 100 + index)),
      disturbs: () => trouble !== undefined && progress() < calmFrom,
    }),
  );
  const chaos = trouble && startChaos({ ...trouble, service, random, progress });

  await producing;
  await untilDone(service, client, over);
  const isLate = over.aborted;
  await chaos?.stop();
  await Promise.all(executors.map((executor) => executor.stop()));
  await proxy.stop();
  // Backends count their deadlocks when they end.
  await Promise.all(service.replicas.map((replica) => replica.stop()));

  const violations = await findViolations({ sql: service.sql });
  return {
    ...judge(await readHistory(service.sql), log, trouble ? maxRolledBackMs : 0),
    seed,
    isLate,
    seconds: (performance.now() - begunMs) / 1000,
    faults: plan.counts,
    kills: chaos?.kills ?? 0,
    databaseRestarts: chaos?.databaseRestarts ?? 0,
    executorCrashes: log.crashes,
    violations: violations.map(({ fault, task_id }) => `${fault}: ${task_id}`),
    deadlocks: await countDeadlocks(service.sql),
    logDir: service.logDir,
  };
};

/** Resolves when every task is finished, or time is over. Puts tasks that need attention back, as a person would. */
const untilDone = async ({ sql }: Service, client: Client, over: AbortSignal): Promise<void> => {
  while (!over.aborted) {
    try {
      if ((await countUnfinished(sql)) === 0) return;
      for (const { id } of await sql<{ id: string }[]>`select id from tasks where needs_attention`)
        await client.requeueTask({ params: { id }, body: { reason: "Tried again" } });
    } catch {
      // PostgreSQL or a replica is down just now.
    }
    await new Promise((again) => setTimeout(again, lookMs));
  }
};
