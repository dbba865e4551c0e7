// A kept value is read no more often than need be, and never older than it may be.
import { expect, test, vi } from "vitest";
import { keepFor } from "./kept-value.ts";

test("is read once for all who ask in time, and again for who asks later", async () => {
  let now = 0;
  const read = vi.fn(async () => now);
  const kept = keepFor(5000, read, () => now);
  expect(await Promise.all([kept(), kept()])).toEqual([0, 0]);
  now = 4999;
  expect(await kept()).toBe(0);
  now = 5000;
  expect(await kept()).toBe(5000);
  expect(read).toHaveBeenCalledTimes(2);
});

test("a failure is told to who waited for it, and not kept", async () => {
  const read = vi.fn().mockRejectedValueOnce(new Error("away")).mockResolvedValue("there");
  const kept = keepFor(5000, read);
  const both = await Promise.allSettled([kept(), kept()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await kept()).toBe("there");
});
