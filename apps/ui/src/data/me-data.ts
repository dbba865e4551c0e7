// Who is signed in, and the limits of the service (`GET /me`, D-39).

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "@task-service/contract";

export const meQuery = (client: Client) =>
  queryOptions({
    queryKey: ["me"],
    queryFn: ({ signal }) => client.getMe({ signal }),
    staleTime: 60_000,
    refetchInterval: false,
  });
