// Follows the stream of events as a client: connects again by itself, goes on where it left off (D-28).
import { type ClientOptions, operationUrl, ProblemError, refusalOf, UnexpectedAnswerError } from "./client.ts";
import { type EventFrame, readFrames } from "./event-frames.ts";
import { type Event, type EventFilters, eventOperations } from "./events.ts";

/** Things happened that are no longer told: read anew what you show. What follows came after `id`. */
export interface StreamReset {
  type: "reset";
  id: string;
}

export interface EventStreamOptions extends ClientOptions {
  /** `id` of the last event that is known; without it the stream begins now. */
  after?: string;
  filters?: EventFilters;
  /** Ends the stream. */
  signal?: AbortSignal;
  /** The shortest pause before it connects again; after failures in a row up to thirty times as long. */
  retryMs?: number;
  /** A connection on which nothing came for so long is dead: the service sends a comment every 15 s. */
  silenceMs?: number;
}

const maxBackOff = 30;

/** Whether the same request may succeed later. */
const isPassing = (error: unknown): boolean => {
  const isAnswer = error instanceof ProblemError || error instanceof UnexpectedAnswerError;
  return !isAnswer || error.status >= 500 || error.status === 408 || error.status === 429;
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });

/** One connection, from its head to its end. */
async function* connect(
  { baseUrl, token, fetch = globalThis.fetch, filters = {}, silenceMs = 45_000 }: EventStreamOptions,
  lastId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<EventFrame> {
  const url = operationUrl(baseUrl, eventOperations.listEvents.path, { query: filters });
  const bearer = await token?.();
  const silence = new AbortController();
  const beSilent = () => setTimeout(() => silence.abort(), silenceMs);
  let alarm = beSilent();
  try {
    const response = await fetch(url, {
      headers: {
        accept: "text/event-stream",
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(lastId !== undefined && { "last-event-id": lastId }),
      },
      signal: AbortSignal.any([signal, silence.signal]),
      redirect: "error",
    });
    if (!response.ok) throw refusalOf(response, url, await response.json().catch(() => undefined));
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!isStream || !response.body) throw new UnexpectedAnswerError(response.status, url);
    for await (const frame of readFrames(response.body)) {
      clearTimeout(alarm);
      alarm = beSilent();
      yield frame;
    }
  } finally {
    clearTimeout(alarm);
  }
}

/**
 * Yields every event that passes the filters, in order, none twice, until `signal` is aborted or the loop is left. Lost
 * connections, expired tokens and passing refusals are made up for; what cannot pass (a refused filter, no membership)
 * is thrown as by the client.
 */
export async function* readEvents(options: EventStreamOptions): AsyncGenerator<Event | StreamReset> {
  const { signal = new AbortController().signal, retryMs = 1000 } = options;
  let lastId = options.after;
  let failures = 0;
  while (!signal.aborted) {
    let waitMs = 0;
    try {
      for await (const { id, event, data } of connect(options, lastId, signal)) {
        failures = 0;
        lastId = id ?? lastId;
        if (event === "reset" && id !== undefined) yield { type: "reset", id };
        else if (data !== undefined) yield JSON.parse(data) as Event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      waitMs = ((error instanceof ProblemError && error.retryAfterSeconds) || 0) * 1000;
    }
    // Not all at once: a replica that went had many readers.
    const backOffMs = retryMs * Math.min(2 ** failures, maxBackOff) * (0.5 + Math.random() / 2);
    failures += 1;
    await pause(Math.max(waitMs, backOffMs), signal);
  }
}
