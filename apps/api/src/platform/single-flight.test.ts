// Work that many ask for at once runs one at a time, and once more for all who asked while it ran.
import { expect, test } from "vitest";
import { createSingleFlight } from "./single-flight.ts";

/** Work whose runs end when they are told to. */
const scripted = () => {
  const runs: PromiseWithResolvers<void>[] = [];
  let running = 0;
  let most = 0;
  const fly = createSingleFlight(async () => {
    running += 1;
    most = Math.max(most, running);
    const run = Promise.withResolvers<void>();
    runs.push(run);
    await run.promise.finally(() => {
      running -= 1;
    });
  });
  return { fly, runs, mostAtOnce: () => most };
};

test("all who ask during a run share the one that follows it", async () => {
  const { fly, runs, mostAtOnce } = scripted();
  const first = fly();
  const later = [fly(), fly(), fly()];
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await first;
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  await Promise.all(later);
  expect([runs.length, mostAtOnce()]).toEqual([2, 1]);
});

test("a run that fails rejects those it was for, and the next one goes well", async () => {
  const { fly, runs } = scripted();
  const first = fly();
  const second = fly();
  runs[0]?.reject(new Error("no"));
  await expect(first).rejects.toThrow("no");
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  await second;
});

test("whoever asks the moment a run ends never gets two at once", async () => {
  const { fly, runs, mostAtOnce } = scripted();
  const first = fly();
  // It stands before the run that follows, and asks again between the two.
  const again = first.then(() => fly());
  const second = fly();
  runs[0]?.resolve();
  await expect.poll(() => runs.length).toBeGreaterThan(1);
  expect(mostAtOnce()).toBe(1);
  runs[1]?.resolve();
  await Promise.all([second, again]);
  expect(runs).toHaveLength(2);
});
