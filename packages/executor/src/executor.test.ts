// The executor against a service that loses answers, ends dispatches, refuses and goes away.
import { createClient } from "@task-service/contract";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFakeService, type FakeService, problem } from "../test/fake-service.ts";
import type { RunTask } from "./dispatch-work.ts";
import { type Executor, type ExecutorOptions, startExecutor } from "./executor.ts";
import type { Pacing } from "./pacing.ts";

const pacing: Pacing = {
  idleMs: 5,
  retry: { firstMs: 5, maxMs: 20 },
  notMemberMs: 10_000,
  rest: { firstMs: 1, maxMs: 4 },
  requestTimeoutMs: 500,
};

let service: FakeService;
let executor: Executor | undefined;
let lines: string[];

const start = (run: RunTask, options: Partial<ExecutorOptions> = {}): Executor => {
  const client = createClient({ baseUrl: service.url, token: () => "token" });
  executor = startExecutor({
    client,
    name: "test-1",
    slots: 1,
    run,
    log: (line) => lines.push(line),
    pacing,
    ...options,
  });
  return executor;
};

/** A run that ends when told to, or when its signal aborts. */
const held = () => {
  const ends: PromiseWithResolvers<void>[] = [];
  const run: RunTask = (_, signal) => {
    const end = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => end.reject(signal.reason));
    ends.push(end);
    return end.promise;
  };
  return { run, ends };
};

const done: RunTask = () => Promise.resolve();
const keys = () => service.requests("next").map(({ query }) => query["claim_key"]);
const settled = (operation: string, count = 1) =>
  vi.waitFor(() => expect(service.requests(operation)).toHaveLength(count));

beforeEach(async () => {
  service = await createFakeService();
  lines = [];
});

afterEach(async () => {
  await executor?.stop("end of test");
  executor = undefined;
  await service.close();
});

describe("a hand-over", () => {
  test("is asked for with name, lease and filters, worked on and finished", async () => {
    service.offer({ prompt: "Do it." });
    const run = vi.fn(done);
    start(run, { filters: { organization: "acme", agentTypes: ["developer"] } });
    await settled("finish");
    const [{ dispatch, task }] = run.mock.calls[0] ?? expect.fail();
    expect(task.prompt).toBe("Do it.");
    expect(service.requests("finish")[0]?.dispatchId).toBe(dispatch.id);
    expect(service.requests("next")[0]?.query).toMatchObject({
      executor: "test-1",
      lease_seconds: "60",
      organization: "acme",
      agent_type: "developer",
    });
  });

  test("that fails is released with its reason as one line of plain text, and taken again after a rest", async () => {
    service.offer({});
    const run = vi.fn(done).mockRejectedValueOnce(new Error("exit code 3: \u001b[31mno\u0000 disk\nspace \ud800"));
    start(run);
    await settled("finish");
    expect(service.requests("release").map(({ body }) => body.reason)).toEqual(["exit code 3: no disk space \ufffd"]);
    expect(lines).toContain("takes the next task in 0.0 s: a worker failed");
    expect(run.mock.calls.map(([{ dispatch }]) => dispatch.attempt)).toEqual([1, 2]);
  });

  test("rests twice as long after each failure, and afresh after a success", async () => {
    service.offer({}, {});
    const failure = new Error("exit code 1");
    const run = vi.fn<RunTask>();
    for (const one of [failure, failure, failure, failure]) run.mockRejectedValueOnce(one);
    run.mockResolvedValueOnce().mockRejectedValueOnce(failure).mockResolvedValueOnce();
    start(run, { pacing: { ...pacing, rest: { firstMs: 100, maxMs: 400 } } });
    await vi.waitFor(() => expect(service.requests("finish")).toHaveLength(2), 5_000);
    const rests = lines.flatMap((line) => /next task in (.*) s/.exec(line)?.[1] ?? []);
    expect(rests).toEqual(["0.1", "0.2", "0.4", "0.4", "0.1"]);
  });

  test("fills as many slots as there are, and no more", async () => {
    service.offer({}, {}, {}, {}, {});
    const { run, ends } = held();
    start(run, { slots: 2 });
    for (const taken of [2, 3, 4, 5]) {
      await vi.waitFor(() => expect(ends).toHaveLength(taken));
      expect(service.requests("next")).toHaveLength(taken);
      ends[taken - 2]?.resolve();
    }
    ends[4]?.resolve();
    await settled("finish", 5);
  });

  test("logs titles escaped, and neither prompt nor persona", async () => {
    service.offer({ title: 'two\nlines "and quotes"', prompt: "a secret prompt" });
    start(done);
    await vi.waitFor(() => expect(lines.join("\n")).toMatch(/ended .*: finished/));
    expect(lines.join("\n")).toContain(String.raw`"two\nlines \"and quotes\"" (priority 50, developer, attempt 1)`);
    expect(lines.join("\n")).not.toMatch(/secret prompt|You write code/);
  });
});

describe("the claim key", () => {
  test("is repeated when the answer was lost, so the same dispatch is worked on once", async () => {
    service.offer({});
    let isLost = false;
    service.rules.push((seen) => {
      if (seen.operation !== "next" || isLost) return undefined;
      isLost = true;
      service.answerTo(seen);
      return "no answer";
    });
    const run = vi.fn(done);
    start(run);
    await settled("finish");
    await vi.waitFor(() => expect(keys().length).toBeGreaterThan(2));
    const [first, second, third] = keys();
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(service.dispatches.size).toBe(1);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test("is repeated after 5xx and a proxy's page, and is fresh after 204 and when it is spent", async () => {
    const answers = [
      problem("database_unavailable"),
      { status: 502, body: "a proxy's page" },
      problem("claim_key_spent"),
      { status: 204 },
      { status: 204 },
    ];
    service.rules.push(() => answers.shift());
    start(done);
    await vi.waitFor(() => expect(keys().length).toBeGreaterThan(4));
    const [a, b, c, d, e] = keys();
    expect([b, c]).toEqual([a, a]);
    expect(new Set([a, d, e]).size).toBe(3);
  });
});

describe("the lease", () => {
  beforeEach(async () => {
    await service.close();
    service = await createFakeService({ leaseSeconds: 0.03 });
    service.offer({});
  });

  test("is renewed until the worker ends, also past a beat that failed", async () => {
    const { run, ends } = held();
    let beats = 0;
    service.rules.push(({ operation }) =>
      operation === "heartbeat" && ++beats === 1 ? problem("database_unavailable") : undefined,
    );
    start(run);
    await vi.waitFor(() => expect(service.requests("heartbeat").length).toBeGreaterThan(3));
    ends[0]?.resolve();
    await vi.waitFor(() => expect(lines.join("\n")).toMatch(/ended .*: finished/));
    const after = service.requests("heartbeat").length;
    await vi.waitFor(() => expect(service.requests("next").length).toBeGreaterThan(5));
    expect(service.requests("heartbeat")).toHaveLength(after);
  });

  test.each(["stale_dispatch", "not_found"] as const)("%s stops the worker and forgets its result", async (code) => {
    const { run } = held();
    service.rules.push(({ operation }) => (operation === "heartbeat" ? problem(code) : undefined));
    start(run);
    await vi.waitFor(() => expect(lines.join("\n")).toMatch(/ended .*: stopped and forgotten/));
    expect(service.requests("finish")).toHaveLength(0);
    expect(service.requests("release")).toHaveLength(0);
  });

  test("that was over when the worker ended is forgotten too", async () => {
    start(async () => service.takeAwayAll());
    await vi.waitFor(() => expect(lines.join("\n")).toMatch(/ended .*: stopped and forgotten/));
    expect(service.requests("finish").length).toBeLessThanOrEqual(1);
  });
});

describe("a service in trouble", () => {
  test("that is away is asked ever more slowly, in one line, and its return is noticed", async () => {
    await service.goAway();
    const fetches: number[] = [];
    const client = createClient({
      baseUrl: service.url,
      fetch: (input, init) => {
        fetches.push(performance.now());
        return fetch(input, init);
      },
    });
    start(done, { client, pacing: { ...pacing, retry: { firstMs: 10, maxMs: 80 } } });
    await vi.waitFor(() => expect(fetches.length).toBeGreaterThan(6));
    // Three quarters of 10, 20, 40, 80, 80 and 80 ms lie between seven requests.
    expect((fetches[6] ?? 0) - (fetches[0] ?? 0)).toBeGreaterThan(230);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("cannot be reached");
    await service.comeBack();
    service.offer({});
    await settled("finish");
    expect(lines[1]).toBe("the task service answers again");
  });

  test("hears of the end of a worker once it is back", async () => {
    service.offer({});
    const { run, ends } = held();
    start(run);
    await vi.waitFor(() => expect(ends).toHaveLength(1));
    await service.goAway();
    ends[0]?.resolve();
    await vi.waitFor(() => expect(lines.join("\n")).toContain("cannot be reached"));
    await service.comeBack();
    await settled("finish");
  });

  test("that has no such member says so once and is hardly asked again", async () => {
    service.rules.push(() => problem("not_a_member"));
    start(done);
    await vi.waitFor(() => expect(lines.join("\n")).toContain("not a member of the group"));
    expect(service.requests("next")).toHaveLength(1);
  });

  test("gives up a report that no repetition makes right", async () => {
    service.offer({});
    service.rules.push(({ operation }) => (operation === "finish" ? problem("invalid_request") : undefined));
    start(done);
    await vi.waitFor(() => expect(lines.join("\n")).toMatch(/ended .*: not reported/));
    expect(service.requests("finish")).toHaveLength(1);
  });
});

describe("the end", () => {
  test("drain takes no more tasks and waits for the workers", async () => {
    service.offer({}, {});
    const { run, ends } = held();
    const { drain } = start(run);
    await vi.waitFor(() => expect(ends).toHaveLength(1));
    const drained = drain();
    ends[0]?.resolve();
    await drained;
    expect(service.requests("finish")).toHaveLength(1);
    expect(service.requests("next")).toHaveLength(1);
  });

  test("stop aborts the workers and releases their tasks with the reason", async () => {
    service.offer({}, {});
    const { run, ends } = held();
    const { stop } = start(run, { slots: 2 });
    await vi.waitFor(() => expect(ends).toHaveLength(2));
    await stop("going home");
    expect(service.requests("release").map(({ body }) => body.reason)).toEqual(["going home", "going home"]);
    expect(service.requests("finish")).toHaveLength(0);
  });

  test("stop finishes what was done just then, and ends also while the service is away", async () => {
    service.offer({}, {});
    const { run, ends } = held();
    const { stop } = start(run, { slots: 2 });
    await vi.waitFor(() => expect(ends).toHaveLength(2));
    ends[0]?.resolve();
    await settled("finish");
    await service.goAway();
    await stop("going home");
    expect(lines.join("\n")).toMatch(/ended .*: not reported/);
  });
});
