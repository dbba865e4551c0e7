// Sends requests that find nothing, and tells when they wait: the moment from which only a wake-up can help them.
import type { NextQuery } from "@task-service/contract";
import { expect, vi } from "vitest";
import type { TestApp } from "./test-app.ts";

/**
 * Calls `send` for each of `count` requests with the filter, and resolves once all of them stand in line and the claim
 * that looked for them is over. Nothing may be queued for the filter.
 */
export const park = async <T>(
  app: TestApp,
  filter: Pick<NextQuery, "organization" | "agent_type">,
  send: (n: number) => Promise<T>,
  count = 1,
): Promise<{ answers: Promise<T>[] }> => {
  const offer = vi.spyOn(app.engine, "offer");
  const answers = Array.from({ length: count }, (_, n) => send(n));
  await vi.waitFor(() => expect(offer).toHaveBeenCalledTimes(count), { timeout: 5000, interval: 5 });
  offer.mockRestore();
  // Claims of one line follow each other: whoever came before this one was looked for when it goes away empty.
  expect(await app.client.takeNextTask({ query: { ...filter, executor: "probe" } })).toBeNull();
  return { answers };
};
