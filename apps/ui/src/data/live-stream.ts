// Reading the stream of events: over as many connections as it takes, and with word of each loss.
import { type ClientOptions, readEvents } from "@task-service/contract";
import { createNewsGathering, type News } from "./live-news.ts";

export interface StreamOptions extends Pick<ClientOptions, "baseUrl" | "fetch"> {
  /** Called for every connection. Rejects with `SignedOutError` if nobody is signed in. */
  token: () => Promise<string>;
  /** The shortest pause before it connects again. */
  retryMs?: number;
}

export interface StreamListener {
  /** `id` is that of the last event in this piece or before, if there was one. */
  tell: (news: readonly News[], id?: string) => void;
  /** Hears whether the connection stands, perhaps twice the same. */
  setUp: (isUp: boolean) => void;
}

/** The service sends something every 15 s (D-28): one sign of life that is this late says that nobody is there. */
const silenceMs = 18_000;

/** What was missed for longer is read anew: to be told all of it could take longer. */
export const worthResumingMs = 60_000;

/**
 * Reads what came after the event `after`, else what happens from now on, until it lags too far behind or `signal` is
 * aborted. Throws what no later connection can mend.
 */
export const readStream = async (
  options: StreamOptions,
  { tell, setUp }: StreamListener,
  after: string | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const { token, fetch = globalThis.fetch } = options;
  const lagging = new AbortController();
  let heardAt = Date.now();
  let hasBegun = after !== undefined;
  let lastId = after;
  const gathering = createNewsGathering((news) => tell(news, lastId));
  const events = readEvents({
    ...options,
    silenceMs,
    ...(after !== undefined && { after }),
    signal: AbortSignal.any([signal, lagging.signal]),
    // Asked for whenever it connects: the last connection is no more.
    token: () => {
      setUp(false);
      if (Date.now() - heardAt > worthResumingMs) lagging.abort();
      return token();
    },
    fetch: async (...request) => {
      const response = await fetch(...request);
      if (!response.ok) return response;
      heardAt = Date.now();
      setUp(true);
      // It tells from now on: what is on screen may have been read before.
      if (!hasBegun) gathering.add("anything");
      hasBegun = true;
      return response;
    },
  });
  try {
    for await (const event of events) {
      heardAt = Date.now();
      lastId = event.id;
      gathering.add(event.type === "reset" ? "anything" : event);
    }
  } finally {
    gathering.flush();
  }
};
