// What SIGINT and SIGTERM ask of a program that drains: first to drain, later to stop.
import type { EventEmitter } from "node:events";

/** Ctrl-C reaches a program under npm twice within milliseconds: from the terminal and from npm. */
const sameWithinMs = 1_000;

export interface StopSignals {
  onFirst(): void;
  /** Called for each signal that comes a second or more after the first. */
  onLater(): void;
}

/** Listens until the function it returns is called. */
export const listenForStop = (
  { onFirst, onLater }: StopSignals,
  source: EventEmitter = process,
  now = () => performance.now(),
): (() => void) => {
  let firstAtMs: number | undefined;
  const onSignal = (): void => {
    if (firstAtMs !== undefined) return void (now() - firstAtMs >= sameWithinMs && onLater());
    firstAtMs = now();
    onFirst();
  };
  source.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return () => {
    source.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  };
};
