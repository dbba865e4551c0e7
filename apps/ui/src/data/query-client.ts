// How every query behaves: what is known stays on screen, what is on screen follows, passing failures are tried again.

import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ProblemError } from "@task-service/contract";
import { SignedOutError } from "../lib/signed-out-error.ts";

/** How often what is on screen is asked for where no live connection tells of changes. */
const pollMs = 2_000;
/** And where one does: for what no event tells. */
const livePollMs = 30_000;
/** A service that does not answer is asked ever less often, down to this. */
const maxPollMs = 15_000;

const maxRetries = 2;

/** Half as long as it has not answered for. */
const backOffMs = (answeredAt: number): number => Math.min(Math.max(pollMs, (Date.now() - answeredAt) / 2), maxPollMs);

/** A refusal stays a refusal; only a server in trouble or a lost connection is worth another try. */
const isPassing = (error: Error): boolean =>
  error instanceof ProblemError ? error.status >= 500 : !(error instanceof SignedOutError);

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      /** What is shown will change soon, and no event may tell. */
      isUnderWay?: (data: unknown) => boolean;
    };
  }
}

export interface QueryClientDeps {
  /** Hears when the API no longer accepts the token. */
  onUnauthenticated: () => void;
  /** Whether a live connection stands. */
  isLive: () => boolean;
}

export const createQueryClient = ({ onUnauthenticated, isLive }: QueryClientDeps): QueryClient => {
  const onError = (error: Error) => {
    if (error instanceof ProblemError && error.code === "unauthenticated") onUnauthenticated();
  };
  const bornAt = Date.now();
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 1_000,
        refetchInterval: ({ state: { data, error, dataUpdatedAt }, meta }) => {
          if (error && isPassing(error)) return backOffMs(Math.max(dataUpdatedAt, bornAt));
          return isLive() && !(data && meta?.isUnderWay?.(data)) ? livePollMs : pollMs;
        },
        retry: (failures, error) => failures < maxRetries && isPassing(error),
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
};
