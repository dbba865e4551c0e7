// The numbers of now, over time and by who used them (D-29).
import { queryOptions } from "@tanstack/react-query";
import type { Client } from "@task-service/contract";

/** The service's own answer may be 5 s old. */
const statsMs = 10_000;

/** The numbers of now. */
export const statsQuery = (client: Client) =>
  queryOptions({
    queryKey: ["stats", "now"],
    queryFn: ({ signal }) => client.getStats({ signal }),
    refetchInterval: statsMs,
  });
