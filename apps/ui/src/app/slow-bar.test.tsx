// The bar tells of one read that takes long, neither of many short ones nor of one that is being tried again.
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "../data/query-client.ts";
import { SlowBar } from "./slow-bar.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const showBar = () => {
  const queries = createQueryClient({ onUnauthenticated: () => undefined, isLive: () => true });
  const read = (name: string, ms: number) =>
    void queries.fetchQuery({
      queryKey: [name],
      staleTime: 0,
      queryFn: () => new Promise((resolve) => setTimeout(resolve, ms, name)),
    });
  const open = () =>
    render(
      <QueryClientProvider client={queries}>
        <SlowBar />
      </QueryClientProvider>,
    );
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const isShown = () => screen.queryByRole("progressbar", { name: "Loading" }) !== null;
  return { queries, read, open, pass, isShown };
};

test("a read that takes longer than a second shows it until the answer is there", async () => {
  const { read, open, pass, isShown } = showBar();
  read("begun before", 1_500);
  open();
  await pass(990);
  expect(isShown()).toBe(false);
  await pass(100);
  expect(isShown()).toBe(true);
  await pass(500);
  expect(isShown()).toBe(false);
  read("begun after", 1_500);
  await pass(1_100);
  expect(isShown()).toBe(true);
});

test("short reads that overlap for long do not show it", async () => {
  const { read, open, pass, isShown } = showBar();
  open();
  for (const name of ["a", "b", "a", "b", "a", "b", "a", "b"]) {
    read(name, 600);
    await pass(400);
    expect(isShown()).toBe(false);
  }
});

test("a read that failed and is tried again does not show it", async () => {
  const { queries, open, pass, isShown } = showBar();
  open();
  const away = vi.fn<() => Promise<never>>(() => Promise.reject(new TypeError("fetch failed")));
  void queries.prefetchQuery({ queryKey: ["away"], queryFn: away, retry: 2 });
  for (let tries = 0; tries < 5; tries += 1) {
    await pass(500);
    expect(isShown()).toBe(false);
  }
  expect(away).toHaveBeenCalledTimes(2);
  expect(queries.isFetching()).toBe(1);
});
