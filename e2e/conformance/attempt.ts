// One request of a correct client: an answer, a problem it can live with, or the knowledge that nobody knows what happened.
import { setTimeout as delay } from "node:timers/promises";
import { type ProblemCode, ProblemError } from "@task-service/contract";
import type { RunLog } from "./executor-log.ts";
import { between, type Random } from "./seeded-random.ts";

export type Attempt<T> =
  | { readonly kind: "answered"; readonly answer: T }
  | { readonly kind: "refused"; readonly code: ProblemCode }
  /** The answer was lost, or the service was not up: it may have been done or not. */
  | { readonly kind: "unknown" };

export interface Caller {
  readonly random: Random;
  readonly log: RunLog;
  /** Aborts when the process of the caller is gone. */
  readonly over: AbortSignal;
  readonly timeoutMs: number;
}

/** Never rejects. A refusal that is not `expected` is a surprise, and told as unknown. Waits as asked after an unknown outcome. */
export const attempt = async <T>(
  { random, log, over, timeoutMs }: Caller,
  expected: readonly ProblemCode[],
  send: (signal: AbortSignal) => Promise<T>,
): Promise<Attempt<T>> => {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
    return { kind: "answered", answer: await send(AbortSignal.any([over, timeout.signal])) };
  } catch (error) {
    if (error instanceof ProblemError && expected.includes(error.code)) return { kind: "refused", code: error.code };
    if (isSurprise(error)) log.surprises.push(describe(error));
    await delay(pauseMs(random, error), undefined, { signal: over }).catch(() => undefined);
    return { kind: "unknown" };
  } finally {
    clearTimeout(timer);
  }
};

/** Every client meets a 503, and whatever is no problem document: `fetch` failing, an answer that is cut short, a proxy's page. */
const isSurprise = (error: unknown): error is ProblemError => error instanceof ProblemError && error.status !== 503;

const describe = ({ status, code, problem }: ProblemError): string => `${status} ${code}: ${problem.detail}`;

const pauseMs = (random: Random, error: unknown): number => {
  const asked = error instanceof ProblemError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(asked, between(random, 20, 200));
};
