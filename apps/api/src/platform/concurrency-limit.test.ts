// At most so many at once, the rest in order, whatever fails.
import { expect, test } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

test("runs two at once and the others in the order they came, also after a failure", async () => {
  const limited = createConcurrencyLimit(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const results = ends.map(({ promise }, n) =>
    limited(() => {
      begun.push(n);
      return promise;
    }).catch((error: Error) => error.message),
  );
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error("failed"));
  expect(await results[1]).toBe("failed");
  expect(begun).toEqual([0, 1, 2]);
  for (const [n, { resolve }] of ends.entries()) resolve(n);
  expect(await Promise.all(results)).toEqual([0, "failed", 2, 3, 4]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(await limited(async () => 5)).toBe(5);
});
