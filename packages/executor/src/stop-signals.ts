// What SIGINT and SIGTERM ask of a program that drains: first to drain, later to stop. Without its terminal it stops at once.
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
  // Nobody is left to send a second one.
  const onHangUp = (): void => {
    if (firstAtMs === undefined) onSignal();
    onLater();
  };
  source.on("SIGINT", onSignal).on("SIGTERM", onSignal).on("SIGHUP", onHangUp);
  return () => {
    source.off("SIGINT", onSignal).off("SIGTERM", onSignal).off("SIGHUP", onHangUp);
  };
};

/**
 * A reader that has seen enough (`| head`) is no fault: who holds workers stops as if hung up, all others just end. What
 * else output fails by, a full disk say, ends nobody who holds workers: they matter more than what is said of them.
 */
export const endWithReader = (): void => {
  const onError = (error: NodeJS.ErrnoException): void => {
    const holdsWorkers = process.listenerCount("SIGHUP") > 0;
    if (error.code !== "EPIPE") {
      if (holdsWorkers) return;
      throw error;
    }
    if (!holdsWorkers) process.exit(0);
    process.emit("SIGHUP", "SIGHUP");
  };
  process.stdout.on("error", onError);
  process.stderr.on("error", onError);
};
