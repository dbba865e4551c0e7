// How every query behaves: what is known stays on screen, passing failures are tried again.

import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ProblemError } from "@task-service/contract";
import { SignedOutError } from "../lib/signed-out-error.ts";

/** Lists and pages ask again this often, until live events do it for them. */
export const refetchMs = 2_000;

const maxRetries = 2;

/** A refusal stays a refusal; only a server in trouble or a lost connection is worth another try. */
const isPassing = (error: Error): boolean =>
  error instanceof ProblemError ? error.status >= 500 : !(error instanceof SignedOutError);

/** `onUnauthenticated` hears when the API no longer accepts the token. */
export const createQueryClient = (onUnauthenticated: () => void): QueryClient => {
  const onError = (error: Error) => {
    if (error instanceof ProblemError && error.code === "unauthenticated") onUnauthenticated();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 1_000,
        retry: (failures, error) => failures < maxRetries && isPassing(error),
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
};
