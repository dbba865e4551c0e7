// Answers of the shapes that hold numbers, for the document: of the same day at acme as those beside this file.
import type { DispatchRate, Stats, StatsHistory, StatsUsage } from "@task-service/contract";
import type { Static } from "typebox";

export const acmeId = "01a1fc70-0b6e-7d3a-9c55-6a1f0e8d4b21";
export const developerId = "01a1fc70-3c1d-7a44-8e0b-52d7c9f1a6e8";

const waits = { p50: 820, p90: 4100, p95: 9300, p99: 31_000 };
const rate = (dispatched: number): DispatchRate => ({
  dispatched,
  per_minute: 0.7,
  wait_ms: waits,
});

/** By the name of the shape. */
export const numberExamples = {
  Stats: {
    at: "2026-11-21T09:30:39.000Z",
    queued: 3,
    live: 1,
    oldest_queued_at: "2026-11-21T09:12:04.000Z",
    oldest_queued_seconds: 1115,
    by_priority: [
      { priority: 100, queued: 1, live: 0 },
      { priority: 50, queued: 2, live: 1 },
    ],
    by_organization: [{ organization_id: acmeId, organization_slug: "acme", queued: 3, live: 1 }],
    by_agent_type: [
      { agent_type_id: developerId, organization_slug: "acme", slug: "developer", queued: 3, live: 1, wait_ms: waits },
    ],
    dispatch: {
      last_1h: rate(40),
      last_24h: rate(512),
      last_7d: rate(2930),
    },
  } satisfies Stats,
  StatsHistory: {
    items: [
      {
        at: "2026-11-21T09:29:00.000Z",
        queued: 4,
        live: 0,
        oldest_queued_seconds: 1016,
        by_priority: [
          { priority: 100, queued: 1, live: 0 },
          { priority: 50, queued: 3, live: 0 },
        ],
        dispatched: 1,
        input_tokens: 48_210,
        output_tokens: 3902,
      },
    ],
  } satisfies Static<typeof StatsHistory>,
  StatsUsage: {
    items: [
      { key: developerId, label: "acme/developer", dispatches: 40, input_tokens: 1_928_400, output_tokens: 156_080 },
    ],
    total: { dispatches: 40, input_tokens: 1_928_400, output_tokens: 156_080 },
  } satisfies Static<typeof StatsUsage>,
};
