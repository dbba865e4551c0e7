// Signals as they come from a terminal, from npm and from an orchestrator.
import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { listenForStop } from "./stop-signals.ts";

test("signals within a second are one; a later one asks for more", () => {
  const source = new EventEmitter();
  const clock = { nowMs: 0 };
  const signals = { onFirst: vi.fn(), onLater: vi.fn() };
  const unlisten = listenForStop(signals, source, () => clock.nowMs);
  for (const [atMs, signal] of [
    [5_000, "SIGINT"],
    [5_003, "SIGINT"],
    [5_999, "SIGTERM"],
  ] as const) {
    clock.nowMs = atMs;
    source.emit(signal);
  }
  expect(signals.onFirst).toHaveBeenCalledTimes(1);
  expect(signals.onLater).not.toHaveBeenCalled();
  clock.nowMs = 6_000;
  source.emit("SIGTERM");
  expect(signals.onFirst).toHaveBeenCalledTimes(1);
  expect(signals.onLater).toHaveBeenCalledTimes(1);
  unlisten();
  expect(source.eventNames()).toEqual([]);
});

test("without its terminal a program drains and stops at once", () => {
  const source = new EventEmitter();
  const signals = { onFirst: vi.fn(), onLater: vi.fn() };
  const unlisten = listenForStop(signals, source);
  source.emit("SIGHUP");
  expect([signals.onFirst.mock.calls.length, signals.onLater.mock.calls.length]).toEqual([1, 1]);
  unlisten();
  expect(source.eventNames()).toEqual([]);
});
