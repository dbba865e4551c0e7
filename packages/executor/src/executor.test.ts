// What an executor does with tasks: takes them, has them worked on, says how it ended, and ends itself.
import { describe, expect, test, vi } from "vitest";
import { done, eventually, held, pacing, setUp } from "../test/executor-fixture.ts";
import { problem } from "../test/fake-service.ts";
import type { RunTask } from "./dispatch-work.ts";

describe("a hand-over", () => {
  test("is asked for with name, lease and filters, worked on and finished", async () => {
    const { service, start, finished, signals } = await setUp();
    service.offer({ prompt: "Do it." });
    const run = vi.fn(done);
    start(run, { filters: { organization: "acme", agentTypes: ["developer"] } });
    await finished();
    const [{ dispatch, task }] = run.mock.calls[0] ?? expect.fail();
    expect(task.prompt).toBe("Do it.");
    expect(service.finished()).toEqual([dispatch.id]);
    expect(signals()[0]).toMatchObject({
      executor: "test-1",
      slots: 1,
      lease_seconds: 60,
      holding: [],
      organization: "acme",
      agent_types: ["developer"],
    });
  });

  test("that fails is released with its reason as one line of plain text, and taken again after a rest", async () => {
    const { service, start, lines, finished } = await setUp();
    service.offer({});
    const run = vi.fn(done).mockRejectedValueOnce(new Error("exit code 3: \u001b[31mno\u0000 disk\nspace \ud800"));
    start(run);
    await finished();
    expect(service.requests("release").map(({ body }) => body.reason)).toEqual(["exit code 3: no disk space \ufffd"]);
    expect(lines).toContain("takes the next task in 0.0 s: a worker failed");
    expect(run.mock.calls.map(([{ dispatch }]) => dispatch.attempt)).toEqual([1, 2]);
  });

  test("rests twice as long after each failure, and afresh after a success", async () => {
    const { service, start, lines, finished } = await setUp();
    service.offer({}, {});
    const failure = new Error("exit code 1");
    const run = vi.fn<RunTask>();
    for (const one of [failure, failure, failure]) run.mockRejectedValueOnce(one);
    run.mockResolvedValueOnce().mockRejectedValueOnce(failure).mockResolvedValueOnce();
    start(run, { pacing: { ...pacing, rest: { firstMs: 100, maxMs: 300 } } });
    await finished(2);
    const rests = lines.flatMap((line) => /next task in (.*) s/.exec(line)?.[1] ?? []);
    expect(rests).toEqual(["0.1", "0.2", "0.3", "0.1"]);
  });

  test("fills as many slots as there are, and no more, over one signal at a time", async () => {
    const { service, start, finished, signals } = await setUp();
    service.offer({}, {}, {}, {}, {});
    const { run, ends, begun } = held();
    start(run, { slots: 2 });
    for (const taken of [2, 3, 4, 5]) {
      await begun(taken);
      ends[taken - 2]?.resolve();
    }
    ends[4]?.resolve();
    await finished(5);
    for (const { slots, holding = [] } of signals()) expect(slots + holding.length).toBeLessThanOrEqual(2);
    const sequences = signals().map(({ sequence = 0 }) => sequence);
    expect(new Set(sequences).size).toBe(sequences.length);
  });

  test("logs titles escaped, and neither prompt nor persona", async () => {
    const { service, start, lines, logged } = await setUp();
    service.offer({ title: 'two\nlines "and quotes"', prompt: "a secret prompt" });
    start(done);
    await logged(/ended .*: finished/);
    expect(lines.join("\n")).toContain(String.raw`"two\nlines \"and quotes\"" (priority 50, developer, attempt 1)`);
    expect(lines.join("\n")).not.toMatch(/secret prompt|You write code/);
  });

  test("logs nothing of others that steers a terminal: titles, reasons, problems of the service", async () => {
    const { service, start, lines, logged } = await setUp();
    const steering = "\u001b]52;c;x\u0007\u009b\u202e";
    service.offer({ title: steering });
    const unavailable = problem("database_unavailable", steering);
    service.rules.push(({ operation }) =>
      operation === "release" && !lines.some((line) => /answers 503/.test(line)) ? unavailable : undefined,
    );
    start(() => Promise.reject(new Error(steering)));
    await logged(/answers 503/);
    await logged(/ended .*: released/);
    expect(lines.join("\n")).not.toMatch(/[^\P{C}\n]/u);
    expect(lines.join("\n")).toContain(String.raw`\u{202e}`);
  });
});

describe("what stands free", () => {
  test("a worker that ends while a signal waits is told at once, by a signal that overtakes it", async () => {
    const { service, start, finished, signals } = await setUp();
    service.offer({});
    const { run, ends, begun } = held();
    start(run, { slots: 2 });
    await begun(1);
    await eventually(() => expect(signals().at(-1)).toMatchObject({ slots: 1, finished: [] }));
    const waiting = signals().at(-1)?.claim_key;
    ends[0]?.resolve();
    await finished();
    expect(signals().at(-1)).toMatchObject({ slots: 2, holding: [], finished: service.finished(), claim_key: waiting });
  });

  test("during a rest it is nothing, while the other workers go on", async () => {
    const { service, start, signals, logged } = await setUp();
    service.offer({}, {});
    const { run, ends, begun } = held();
    start(run, { slots: 3, pacing: { ...pacing, rest: { firstMs: 60_000, maxMs: 60_000 } } });
    await begun(2);
    ends[0]?.reject(new Error("broken"));
    await logged(/in 60.0 s/);
    // Nor was the released task handed back by the signal that waited.
    expect(service.dispatches.size).toBe(2);
    service.offer({});
    await eventually(() => expect(signals().at(-1)).toMatchObject({ slots: 0, holding: [expect.any(String)] }));
    expect(ends).toHaveLength(2);
  });
});
