// Goes on asking a service that is away until it answers, for commands that are to outlast it.
import { setTimeout as sleep } from "node:timers/promises";
import { ProblemError } from "@task-service/contract";
import { CredentialsError } from "@task-service/executor";
import { exitCodes } from "./exit-codes.ts";
import { reportOf } from "./failure-report.ts";
import { printable, say } from "./terminal.ts";

const firstPauseMs = 500;
const maxPauseMs = 10_000;

/** Whether the service or the identity provider may do later what it did not do now. */
const isPassing = (error: unknown): boolean => {
  if (error instanceof CredentialsError) return true;
  if (error instanceof ProblemError) return error.status === 429 || error.status >= 500;
  return reportOf(error)?.exitCode === exitCodes.outOfReach;
};

/**
 * What `ask` resolves to, asked again with growing pauses, up to 10 s, while what it fails by may pass; what that is is
 * said once. Null if `interrupted` aborts first. Rejects as `ask` does by what cannot pass.
 */
export const patiently = async <T>(ask: () => Promise<T>, interrupted: AbortSignal): Promise<T | null> => {
  let said = "";
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await ask();
    } catch (error) {
      if (interrupted.aborted) return null;
      if (!isPassing(error)) throw error;
      const { sentence = "" } = reportOf(error) ?? {};
      if (sentence !== said) say(`${printable(sentence)} Trying again.`);
      said = sentence;
      await sleep(pauseMs, undefined, { signal: interrupted }).catch(() => undefined);
      if (interrupted.aborted) return null;
    }
  }
};
