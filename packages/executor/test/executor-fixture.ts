// An executor at a fake service, made for one test and stopped with it.
import { createClient } from "@task-service/contract";
import { expect, onTestFinished, vi } from "vitest";
import type { RunTask } from "../src/dispatch-work.ts";
import { createExecutor, type Executor } from "../src/executor.ts";
import type { ExecutorOptions } from "../src/executor-options.ts";
import type { Pacing } from "../src/pacing.ts";
import { createFakeService, type Seen } from "./fake-service.ts";

export const pacing: Pacing = {
  waitSeconds: 50,
  idleMs: 5,
  retry: { firstMs: 5, maxMs: 20 },
  notMemberMs: 10_000,
  rest: { firstMs: 1, maxMs: 4 },
  requestTimeoutMs: 5_000,
  drainReportsMs: 60_000,
  stopReportsMs: 5_000,
};

/** Resolves when `check` no longer throws; a busy machine takes its time. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, 10_000);

export const done: RunTask = () => Promise.resolve();

/** A run that ends when told to, or when its signal aborts. */
export const held = () => {
  const ends: PromiseWithResolvers<void>[] = [];
  const run: RunTask = (_, signal) => {
    const end = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => end.reject(new Error("aborted")));
    ends.push(end);
    return end.promise;
  };
  return { run, ends, begun: (count: number) => eventually(() => expect(ends).toHaveLength(count)) };
};

export const setUp = async (options: { leaseSeconds?: number } = {}) => {
  const service = await createFakeService(options);
  const lines: string[] = [];
  const executors: Executor[] = [];
  onTestFinished(async () => {
    await Promise.all(executors.map((executor) => executor.stop("end of test")));
    await service.close();
  });

  const start = (run: RunTask, options: Partial<ExecutorOptions> = {}): Executor => {
    const client = createClient({ baseUrl: service.url, token: () => "token" });
    const log = (line: string) => void lines.push(line);
    const executor = createExecutor({ client, name: "test-1", slots: 1, run, log, pacing, ...options });
    executors.push(executor);
    return executor;
  };

  return {
    service,
    start,
    lines,
    /** Resolves when the log has a line like this. */
    logged: (what: RegExp) => eventually(() => expect(lines.join("\n")).toMatch(what)),
    /** Resolves when there were that many requests of this kind. */
    requested: (operation: Seen["operation"], count = 1) =>
      eventually(() => expect(service.requests(operation).length).toBeGreaterThanOrEqual(count)),
    /** Resolves when the service knows so many dispatches to be finished. */
    finished: (count = 1) => eventually(() => expect(service.finished()).toHaveLength(count)),
    /** In the order in which they were sent: on their way one may overtake another. */
    signals: () =>
      service
        .requests("capacity")
        .map(({ body }) => body)
        .toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0)),
  };
};
