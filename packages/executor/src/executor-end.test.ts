// How an executor ends: its workers, what it still tells, and a service that does not answer.
import { createClient } from "@task-service/contract";
import { expect, test } from "vitest";
import { eventually, held, pacing, setUp } from "../test/executor-fixture.ts";

/** So long that a test which waits for it fails. */
const requestTimeoutMs = 600_000;
const bounds = { drainReportsMs: 40, stopReportsMs: 20 };

test("drain takes no more tasks and waits for the workers", async () => {
  const { service, start, signals } = await setUp();
  service.offer({});
  const { run, ends, begun } = held();
  const { drain } = start(run, { slots: 2 });
  await begun(1);
  const drained = drain();
  await eventually(() => expect(signals().at(-1)).toMatchObject({ slots: 0 }));
  service.offer({});
  ends[0]?.resolve();
  await drained;
  expect(service.finished()).toHaveLength(1);
  expect(ends).toHaveLength(1);
});

test("stop aborts the workers and releases their tasks with the reason", async () => {
  const { service, start } = await setUp();
  service.offer({}, {});
  const { run, begun } = held();
  const { stop } = start(run, { slots: 2 });
  await begun(2);
  await stop("going home");
  expect(service.requests("release").map(({ body }) => body.reason)).toEqual(["going home", "going home"]);
  expect(service.finished()).toHaveLength(0);
});

test("stop ends also while the service is away, and says what it could not tell", async () => {
  const { service, start, lines, logged } = await setUp();
  service.offer({}, {});
  const { run, ends, begun } = held();
  const { stop } = start(run, { slots: 2 });
  await begun(2);
  await service.goAway();
  ends[0]?.resolve();
  await logged(/ended .*: finished/);
  await stop("going home");
  expect(lines.join("\n")).toMatch(/ended .*: not reported/);
  expect(lines.join("\n")).toMatch(/the end of dispatch .* was not reported/);
});

test.each(["capacity", "patch", "release"] as const)(
  "a drain ends within its bound though the service never answers: %s",
  async (hanging) => {
    const { service, start, lines } = await setUp();
    service.offer({});
    const { run, ends, begun } = held();
    const withResult = (...of: Parameters<typeof run>) => run(...of).then(() => ({ result: "Done." }));
    const { drain } = start(withResult, { slots: 2, pacing: { ...pacing, requestTimeoutMs, ...bounds } });
    await begun(1);
    const drained = drain();
    service.rules.push(({ operation }) => (operation === hanging ? new Promise(() => undefined) : undefined));
    if (hanging === "release") ends[0]?.reject(new Error("broken"));
    else ends[0]?.resolve();
    await drained;
    expect(lines.join("\n")).toMatch(/its task returns when the lease is over|not reported|report was not heard/);
  },
);

test("a drain of an executor with nothing to tell ends within its bound too", async () => {
  const { service, start, requested } = await setUp();
  service.rules.push(() => new Promise(() => undefined));
  const { drain } = start(held().run, { pacing: { ...pacing, requestTimeoutMs, ...bounds } });
  await requested("capacity");
  await drain();
});

test("a drain waits for a worker longer than for the service", async () => {
  const { service, start, finished } = await setUp();
  service.offer({});
  const { run, ends, begun } = held();
  const { drain } = start(run, { pacing: { ...pacing, requestTimeoutMs, drainReportsMs: 5_000 } });
  await begun(1);
  const drained = drain();
  ends[0]?.resolve();
  await drained;
  await finished();
});

test("stop cuts a drain short that waits for the service", async () => {
  const { service, start, requested, lines } = await setUp();
  service.offer({}, {});
  const { run, ends, begun } = held();
  const { drain, stop } = start(run, {
    slots: 2,
    pacing: { ...pacing, requestTimeoutMs, ...bounds, drainReportsMs: 600_000 },
  });
  await begun(2);
  service.rules.push(() => new Promise(() => undefined));
  ends[0]?.resolve();
  const drained = drain();
  await requested("capacity", 3);
  await stop("going home");
  await drained;
  expect(lines.join("\n")).toMatch(/ended .*: not reported/);
  expect(lines.join("\n")).toMatch(/the end of dispatch .* was not reported/);
});

test("an identity provider that never answers does not hold the end up", async () => {
  const { service, start, lines } = await setUp();
  service.offer({});
  const { run, ends, begun } = held();
  let isHanging = false;
  const client = createClient({
    baseUrl: service.url,
    token: () => (isHanging ? new Promise<string>(() => undefined) : "token"),
  });
  const { drain } = start(run, { client, pacing: { ...pacing, requestTimeoutMs, ...bounds } });
  await begun(1);
  isHanging = true;
  ends[0]?.reject(new Error("broken"));
  await drain();
  expect(lines.join("\n")).toMatch(/ended .*: not reported/);
});
