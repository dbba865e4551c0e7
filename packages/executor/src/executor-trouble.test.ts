// The executor against a service that loses answers, ends dispatches, refuses and goes away.
import { createClient } from "@task-service/contract";
import { describe, expect, test, vi } from "vitest";
import { done, eventually, held, pacing, setUp } from "../test/executor-fixture.ts";
import { problem } from "../test/fake-service.ts";

describe("the claim key", () => {
  test("is repeated when the answer was lost, so the same dispatches are worked on once", async () => {
    const { service, start, finished, signals } = await setUp();
    service.offer({}, {});
    let isLost = false;
    service.rules.push(async (seen) => {
      if (seen.operation !== "capacity" || isLost) return undefined;
      isLost = true;
      await service.answerTo(seen);
      return "no answer";
    });
    const run = vi.fn(done);
    start(run, { slots: 2 });
    await finished(2);
    const [first, second, third] = signals().map(({ claim_key }) => claim_key);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(service.dispatches.size).toBe(2);
    expect(run).toHaveBeenCalledTimes(2);
  });

  test("brings a dispatch twice when signals overtake each other, and it is worked on once", async () => {
    const { service, start, finished } = await setUp();
    service.offer({}, {});
    const { run, ends, begun } = held();
    let late: PromiseWithResolvers<void> | undefined;
    service.rules.push(async (seen) => {
      if (seen.operation !== "capacity" || late || service.dispatches.size < 2) return undefined;
      late = Promise.withResolvers();
      const answer = await service.answerTo(seen);
      await late.promise;
      return answer;
    });
    start(run, { slots: 3 });
    await begun(2);
    await eventually(() => expect(late).toBeDefined());
    service.offer({});
    ends[0]?.resolve();
    await begun(3);
    late?.resolve();
    ends[1]?.resolve();
    ends[2]?.resolve();
    await finished(3);
    expect(ends).toHaveLength(3);
  });

  test("is repeated after 5xx and a proxy's page, and is fresh when it is spent", async () => {
    const { service, start, signals } = await setUp();
    const answers = [problem("database_unavailable"), { status: 502, body: "a page" }, problem("claim_key_spent")];
    service.rules.push(() => answers.shift());
    start(done);
    await eventually(() => expect(signals().length).toBeGreaterThan(3));
    const [a, b, c, d] = signals().map(({ claim_key }) => claim_key);
    expect([b, c]).toEqual([a, a]);
    expect(d).not.toBe(a);
  });

  test("that is spent however fresh it is counts as a failure: it is asked again ever more slowly", async () => {
    const { service, start, logged, signals } = await setUp();
    service.rules.push(() => problem("claim_key_spent"));
    const { drain } = start(done, { pacing: { ...pacing, retry: { firstMs: 60_000, maxMs: 60_000 } } });
    await logged(/answers 409 claim_key_spent/);
    expect(signals()).toHaveLength(2);
    await drain();
    expect(signals()).toHaveLength(3);
  });
});

describe("the held set", () => {
  test("is named with every signal, also while all slots are in use", async () => {
    const { service, start, signals } = await setUp({ leaseSeconds: 0.03 });
    service.offer({});
    const { run, begun } = held();
    start(run, { leaseSeconds: 0.03 });
    await begun(1);
    await eventually(() => expect(signals().length).toBeGreaterThan(4));
    expect(signals().at(-1)).toMatchObject({ slots: 0, holding: [...service.dispatches.keys()] });
  });

  test.each([1, 2])("a dispatch that is revoked stops its worker and is forgotten, with %i slots", async (slots) => {
    const { service, start, logged, signals } = await setUp();
    service.offer({});
    const { run, begun } = held();
    start(run, { slots, leaseSeconds: 0.03 });
    await begun(1);
    service.takeAwayAll();
    await logged(/ended .*: stopped and forgotten/);
    await eventually(() => expect(signals().at(-1)).toMatchObject({ slots, holding: [], finished: [] }));
    expect(service.requests("release")).toHaveLength(0);
  });

  test("a worker that is slow to stop keeps its slot, is named no more, and the service is not asked without end", async () => {
    const { service, start, signals } = await setUp();
    service.offer({});
    const end = Promise.withResolvers<void>();
    const run = vi.fn((_: unknown, signal: AbortSignal) => {
      signal.addEventListener("abort", () => service.offer({}));
      return end.promise;
    });
    start(run, { slots: 1, leaseSeconds: 0.3 });
    await eventually(() => expect(run).toHaveBeenCalled());
    service.takeAwayAll();
    await eventually(() => expect(signals().at(-1)).toMatchObject({ slots: 0, holding: [] }));
    expect(run).toHaveBeenCalledTimes(1);
    expect(signals().length).toBeLessThan(8);
    end.resolve();
    await eventually(() => expect(run).toHaveBeenCalledTimes(2));
  });

  test("a dispatch that was over when its worker ended is no fault", async () => {
    const { service, start, signals } = await setUp();
    service.offer({});
    start(async () => service.takeAwayAll());
    await eventually(() => expect(signals().at(-1)).toMatchObject({ slots: 1, finished: [] }));
    expect(service.finished()).toEqual([]);
  });
});

describe("a service in trouble", () => {
  test("that is away is asked ever more slowly, in one line, and its return is noticed", async () => {
    const { service, start, lines, finished } = await setUp();
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
    await eventually(() => expect(fetches.length).toBeGreaterThan(6));
    // Three quarters of 10, 20, 40, 80, 80 and 80 ms lie between seven requests.
    expect((fetches[6] ?? 0) - (fetches[0] ?? 0)).toBeGreaterThan(230);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("cannot be reached");
    await service.comeBack();
    service.offer({});
    await finished();
    expect(lines[1]).toBe("the task service answers again");
  });

  test("does not disturb the workers, and hears of their ends once it is back", async () => {
    const { service, start, logged, finished } = await setUp();
    service.offer({}, {});
    const { run, ends, begun } = held();
    start(run, { slots: 3 });
    await begun(2);
    await service.goAway();
    ends[0]?.resolve();
    await logged(/cannot be reached/);
    await service.comeBack();
    await finished();
    ends[1]?.resolve();
    await finished(2);
  });

  test("that has no such member says so once and is hardly asked again", async () => {
    const { service, start, logged } = await setUp();
    service.rules.push(() => problem("not_a_member"));
    start(done);
    await logged(/not a member of the group/);
    expect(service.requests("capacity")).toHaveLength(1);
  });

  test.each([
    ["an empty one", { status: 204 }],
    ["one without lists", { status: 200, body: {} }],
    ["a hand-over without a task", { status: 200, body: { dispatches: [{}], revoked: [] } }],
    ["a list of nothing", { status: 200, body: { dispatches: [null], revoked: [] } }],
  ])("that answers in another shape is away like any other: %s", async (_, answer) => {
    const { service, start, logged, lines, requested, finished } = await setUp();
    service.rules.push(() => answer);
    start(done, { pacing: { ...pacing, retry: { firstMs: 20, maxMs: 20 } } });
    await requested("capacity", 4);
    expect(lines).toEqual([expect.stringContaining("not the task service's JSON; trying again")]);
    service.rules.length = 0;
    service.offer({});
    await finished();
    await logged(/the task service answers again/);
  });

  test("that has seen a later signal under the name is asked again, slowly", async () => {
    const { service, start, logged, requested } = await setUp();
    service.rules.push(() => problem("stale_signal"));
    start(done);
    await logged(/stale_signal/);
    await requested("capacity", 3);
  });
});
