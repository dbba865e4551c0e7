// What an executor does with tasks: takes them, has them worked on, says how it ended, and ends itself.
import { describe, expect, test, vi } from "vitest";
import { done, held, pacing, setUp } from "../test/executor-fixture.ts";
import type { RunTask } from "./dispatch-work.ts";

describe("a hand-over", () => {
  test("is asked for with name, lease and filters, worked on and finished", async () => {
    const { service, start, requested } = await setUp();
    service.offer({ prompt: "Do it." });
    const run = vi.fn(done);
    start(run, { filters: { organization: "acme", agentTypes: ["developer"] } });
    await requested("finish");
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
    const { service, start, lines, requested } = await setUp();
    service.offer({});
    const run = vi.fn(done).mockRejectedValueOnce(new Error("exit code 3: \u001b[31mno\u0000 disk\nspace \ud800"));
    start(run);
    await requested("finish");
    expect(service.requests("release").map(({ body }) => body.reason)).toEqual(["exit code 3: no disk space \ufffd"]);
    expect(lines).toContain("takes the next task in 0.0 s: a worker failed");
    expect(run.mock.calls.map(([{ dispatch }]) => dispatch.attempt)).toEqual([1, 2]);
  });

  test("rests twice as long after each failure, and afresh after a success", async () => {
    const { service, start, lines, requested } = await setUp();
    service.offer({}, {});
    const failure = new Error("exit code 1");
    const run = vi.fn<RunTask>();
    for (const one of [failure, failure, failure, failure]) run.mockRejectedValueOnce(one);
    run.mockResolvedValueOnce().mockRejectedValueOnce(failure).mockResolvedValueOnce();
    start(run, { pacing: { ...pacing, rest: { firstMs: 100, maxMs: 400 } } });
    await requested("finish", 2);
    const rests = lines.flatMap((line) => /next task in (.*) s/.exec(line)?.[1] ?? []);
    expect(rests).toEqual(["0.1", "0.2", "0.4", "0.4", "0.1"]);
  });

  test("fills as many slots as there are, and no more", async () => {
    const { service, start, requested } = await setUp();
    service.offer({}, {}, {}, {}, {});
    const { run, ends } = held();
    start(run, { slots: 2 });
    for (const taken of [2, 3, 4, 5]) {
      await vi.waitFor(() => expect(ends).toHaveLength(taken));
      expect(service.requests("next")).toHaveLength(taken);
      ends[taken - 2]?.resolve();
    }
    ends[4]?.resolve();
    await requested("finish", 5);
  });

  test("logs titles escaped, and neither prompt nor persona", async () => {
    const { service, start, lines, logged } = await setUp();
    service.offer({ title: 'two\nlines "and quotes"', prompt: "a secret prompt" });
    start(done);
    await logged(/ended .*: finished/);
    expect(lines.join("\n")).toContain(String.raw`"two\nlines \"and quotes\"" (priority 50, developer, attempt 1)`);
    expect(lines.join("\n")).not.toMatch(/secret prompt|You write code/);
  });
});

describe("the end", () => {
  test("drain takes no more tasks and waits for the workers", async () => {
    const { service, start, requested } = await setUp();
    service.offer({});
    const { run, ends } = held();
    const { drain } = start(run, { slots: 2, pacing: { ...pacing, idleMs: 60_000 } });
    await requested("next", 2);
    service.offer({});
    const drained = drain();
    ends[0]?.resolve();
    await drained;
    expect(service.requests("finish")).toHaveLength(1);
    expect(ends).toHaveLength(1);
  });

  test("stop aborts the workers and releases their tasks with the reason", async () => {
    const { service, start } = await setUp();
    service.offer({}, {});
    const { run, ends } = held();
    const { stop } = start(run, { slots: 2 });
    await vi.waitFor(() => expect(ends).toHaveLength(2));
    await stop("going home");
    expect(service.requests("release").map(({ body }) => body.reason)).toEqual(["going home", "going home"]);
    expect(service.requests("finish")).toHaveLength(0);
  });

  test("stop finishes what was done just then, and ends also while the service is away", async () => {
    const { service, start, lines, requested } = await setUp();
    service.offer({}, {});
    const { run, ends } = held();
    const { stop } = start(run, { slots: 2 });
    await vi.waitFor(() => expect(ends).toHaveLength(2));
    ends[0]?.resolve();
    await requested("finish");
    await service.goAway();
    await stop("going home");
    expect(lines.join("\n")).toMatch(/ended .*: not reported/);
  });
});
