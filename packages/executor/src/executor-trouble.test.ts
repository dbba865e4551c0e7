// The executor against a service that loses answers, ends dispatches, refuses and goes away.
import { createClient } from "@task-service/contract";
import { describe, expect, test, vi } from "vitest";
import { done, held, pacing, setUp } from "../test/executor-fixture.ts";
import { problem } from "../test/fake-service.ts";

describe("the claim key", () => {
  test("is repeated when the answer was lost, so the same dispatch is worked on once", async () => {
    const { service, start, requested, keys } = await setUp();
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
    await requested("finish");
    await vi.waitFor(() => expect(keys().length).toBeGreaterThan(2));
    const [first, second, third] = keys();
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(service.dispatches.size).toBe(1);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test("is repeated after 5xx and a proxy's page, and is fresh after 204 and when it is spent", async () => {
    const { service, start, keys } = await setUp();
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
  test("is renewed until the worker ends, also past a beat that failed", async () => {
    const { service, start, logged } = await setUp({ leaseSeconds: 0.03 });
    service.offer({});
    const { run, ends } = held();
    let beats = 0;
    service.rules.push(({ operation }) =>
      operation === "heartbeat" && ++beats === 1 ? problem("database_unavailable") : undefined,
    );
    start(run);
    await vi.waitFor(() => expect(service.requests("heartbeat").length).toBeGreaterThan(3));
    ends[0]?.resolve();
    await logged(/ended .*: finished/);
    const after = service.requests("heartbeat").length;
    await vi.waitFor(() => expect(service.requests("next").length).toBeGreaterThan(5));
    expect(service.requests("heartbeat")).toHaveLength(after);
  });

  test.each(["stale_dispatch", "not_found"] as const)("%s stops the worker and forgets its result", async (code) => {
    const { service, start, logged } = await setUp({ leaseSeconds: 0.03 });
    service.offer({});
    const { run } = held();
    service.rules.push(({ operation }) => (operation === "heartbeat" ? problem(code) : undefined));
    start(run);
    await logged(/ended .*: stopped and forgotten/);
    expect(service.requests("finish")).toHaveLength(0);
    expect(service.requests("release")).toHaveLength(0);
  });

  test("that was over when the worker ended is forgotten too", async () => {
    const { service, start, logged } = await setUp({ leaseSeconds: 0.03 });
    service.offer({});
    start(async () => service.takeAwayAll());
    await logged(/ended .*: stopped and forgotten/);
    expect(service.requests("finish").length).toBeLessThanOrEqual(1);
  });
});

describe("a service in trouble", () => {
  test("that is away is asked ever more slowly, in one line, and its return is noticed", async () => {
    const { service, start, lines, requested } = await setUp();
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
    await requested("finish");
    expect(lines[1]).toBe("the task service answers again");
  });

  test("hears of the end of a worker once it is back", async () => {
    const { service, start, logged, requested } = await setUp();
    service.offer({});
    const { run, ends } = held();
    start(run);
    await vi.waitFor(() => expect(ends).toHaveLength(1));
    await service.goAway();
    ends[0]?.resolve();
    await logged(/cannot be reached/);
    await service.comeBack();
    await requested("finish");
  });

  test("that has no such member says so once and is hardly asked again", async () => {
    const { service, start, logged } = await setUp();
    service.rules.push(() => problem("not_a_member"));
    start(done);
    await logged(/not a member of the group/);
    expect(service.requests("next")).toHaveLength(1);
  });

  test("gives up a report that no repetition makes right", async () => {
    const { service, start, logged } = await setUp();
    service.offer({});
    service.rules.push(({ operation }) => (operation === "finish" ? problem("invalid_request") : undefined));
    start(done);
    await logged(/ended .*: not reported/);
    expect(service.requests("finish")).toHaveLength(1);
  });
});
