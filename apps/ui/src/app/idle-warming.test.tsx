// What is fetched ahead of need waits for the first screen's data and for idle time, and for ever where data is saved.

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { warmMarkdown } from "../components/markdown-part.ts";
import { createQueryClient } from "../data/query-client.ts";
import { useIdleWarming } from "./idle-warming.ts";

vi.mock("../components/markdown-part.ts", () => ({ warmMarkdown: vi.fn() }));

let idle: (() => void) | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(warmMarkdown).mockClear();
  idle = undefined;
  vi.stubGlobal("requestIdleCallback", (run: () => void) => {
    idle = run;
    return 1;
  });
  vi.stubGlobal("cancelIdleCallback", () => undefined);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "connection");
});

const openScreen = () => {
  const queries = createQueryClient({ onUnauthenticated: () => undefined, isLive: () => true });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  renderHook(() => useIdleWarming(), { wrapper });
  return queries;
};

test("waits until the screen's data is there and the browser has nothing to do", async () => {
  const data = Promise.withResolvers<number>();
  const queries = openScreen();
  const query = queries.fetchQuery({ queryKey: ["first"], queryFn: () => data.promise });
  idle?.();
  expect(warmMarkdown).not.toHaveBeenCalled();
  data.resolve(1);
  await query;
  await vi.advanceTimersByTimeAsync(500);
  expect(warmMarkdown).not.toHaveBeenCalled();
  idle?.();
  expect(warmMarkdown).toHaveBeenCalledOnce();
});

test("fetches nothing ahead of need for somebody who saves data", () => {
  Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
  openScreen();
  expect(idle).toBeUndefined();
});
