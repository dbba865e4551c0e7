// An executor at a fake service, made for one test and stopped with it.
import { createClient } from "@task-service/contract";
import { expect, onTestFinished, vi } from "vitest";
import type { RunTask } from "../src/dispatch-work.ts";
import { type Executor, type ExecutorOptions, startExecutor } from "../src/executor.ts";
import type { Pacing } from "../src/pacing.ts";
import { createFakeService } from "./fake-service.ts";

export const pacing: Pacing = {
  waitSeconds: 0,
  idleMs: 5,
  retry: { firstMs: 5, maxMs: 20 },
  notMemberMs: 10_000,
  rest: { firstMs: 1, maxMs: 4 },
  requestTimeoutMs: 500,
};

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
  return { run, ends };
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
    const executor = startExecutor({ client, name: "test-1", slots: 1, run, log, pacing, ...options });
    executors.push(executor);
    return executor;
  };

  return {
    service,
    start,
    lines,
    /** Resolves when the log has a line like this. */
    logged: (what: RegExp) => vi.waitFor(() => expect(lines.join("\n")).toMatch(what)),
    /** Resolves when there were that many requests of this kind. */
    requested: (operation: string, count = 1) =>
      vi.waitFor(() => expect(service.requests(operation)).toHaveLength(count), 5_000),
    keys: () => service.requests("next").map(({ query }) => query["claim_key"]),
  };
};
