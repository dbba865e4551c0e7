// A command that npm or npx started ends with it: ended itself, npm leaves behind what it started.
import { surroundings } from "./surroundings.ts";

const lookMs = 1_000;
const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Sends this process SIGTERM once its parent is gone, if it was started under npm and nobody has sent it a signal yet: a
 * second one means something else. Watches until the function it returns is called.
 */
export const endWithParent = (): (() => void) => {
  if (!surroundings().env["npm_command"]) return () => undefined;
  const parent = process.ppid;
  const stop = (): void => {
    clearInterval(timer);
    for (const signal of signals) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    stop();
    // Where only this has listened, the signal does what it does by itself.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const look = (): void => {
    if (process.ppid === parent) return;
    stop();
    process.kill(process.pid, "SIGTERM");
  };
  const timer = setInterval(look, lookMs).unref();
  for (const signal of signals) process.on(signal, onSignal);
  return stop;
};
