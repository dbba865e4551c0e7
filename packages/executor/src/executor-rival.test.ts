// Two executors of one name that do not see each other's lock: each would declare lost what the other holds.
import { expect, test } from "vitest";
import { eventually, held, setUp } from "../test/executor-fixture.ts";
import { problem } from "../test/fake-service.ts";

test("the later one goes on and finishes; the earlier stops its runs, sends nothing more, ends and says why", async () => {
  const { service, start, lines, finished } = await setUp();
  service.offer({}, {});
  const { run, ends, begun } = held();
  const earlier = start(run, { leaseSeconds: 0.3 });
  await begun(1);
  const later = start(run, { leaseSeconds: 0.3 });
  const error = await earlier.ended;
  expect(error?.name).toBe("NameTakenError");
  expect(lines.filter((line) => line.includes("uses the name test-1"))).toEqual([error?.message]);
  expect(lines.join("\n")).toMatch(/ended .* stopped and forgotten/);
  for (const count of [1, 2]) {
    await eventually(() => expect([...service.dispatches.values()].filter(({ end }) => !end)).toHaveLength(1));
    await begun(count + 1);
    ends.at(-1)?.resolve();
    await finished(count);
  }
  await later.drain();
  expect(await later.ended).toBeUndefined();
  expect([...service.dispatches.values()].map(({ end }) => end)).toEqual(["lost", "finished", "finished"]);
});

test("an idle one ends too, and before it has disturbed the other", async () => {
  const { service, start, requested, finished } = await setUp();
  const { run, ends, begun } = held();
  const earlier = start(run);
  await requested("capacity");
  start(run);
  expect((await earlier.ended)?.name).toBe("NameTakenError");
  service.offer({});
  await begun(1);
  ends[0]?.resolve();
  await finished();
});

test("a signal that a proxy sends twice is no other process", async () => {
  const { service, start, logged, finished } = await setUp();
  const { run, ends, begun } = held();
  service.offer({});
  let repeats = 2;
  service.rules.push(async (seen) => {
    if (seen.operation !== "capacity" || seen.body.slots > 0 || repeats-- <= 0) return undefined;
    await service.answerTo(seen);
    return problem("stale_signal");
  });
  start(run, { leaseSeconds: 0.03 });
  await begun(1);
  await logged(/stale_signal[\s\S]*answers again/);
  ends[0]?.resolve();
  await finished();
});
