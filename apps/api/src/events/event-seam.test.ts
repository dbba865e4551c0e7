// The seam between what was kept and what happens now: whenever an event comes, a stream that catches up tells it once.
import type { ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { Event } from "@task-service/contract";
import type { FastifyBaseLogger } from "fastify";
import { expect, test } from "vitest";
import { createLogger } from "../platform/logger.ts";
import { createBatch } from "./event-batch.ts";
import type { EventFeed, Listener } from "./event-feed.ts";
import { createEventStream, replayRows } from "./event-stream.ts";

const eventOf = (n: number): Event => ({
  id: String(n).padStart(16, "0"),
  at: "2026-11-21T09:30:00.000Z",
  type: "agents.synced",
  organization_id: null,
  task_id: null,
  actor: { sub: "a", name: "a" },
  data: {},
});

/** Has `act` run after so many turns of the queue of promises. */
const afterTurns = async (turns: number, act: () => void): Promise<void> => {
  for (let n = 0; n < turns; n++) await undefined;
  act();
};

const idsOf = (frames: string) => [...frames.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

test.each(Array.from({ length: 25 }, (_, turns) => turns))("%i turns after a read", async (turns) => {
  const history = Array.from({ length: replayRows + 50 }, (_, n) => eventOf(n + 1));
  const joined = new Set<Listener>();
  const happen = (): void => {
    const event = eventOf(history.length + 1);
    history.push(event);
    for (const listener of joined) listener.take(createBatch([event]));
  };
  const feed: EventFeed = {
    open: async () => {},
    position: () => history.at(-1)?.id ?? "",
    join: (listener) => joined.add(listener),
    leave: () => {},
    openStreams: () => joined.size,
    nudge: () => {},
    settled: async () => "",
    drain: () => {},
  };
  let reads = 0;
  const read = async ({ after, ...end }: { after: string } & ({ upTo: string } | { before: string })) => {
    const upTo = "upTo" in end ? end.upTo : "";
    const events = history.filter(({ id }) => id > after && id <= upTo).slice(0, replayRows);
    // Each read is overtaken by one event, as long as the stream can follow.
    if (reads++ < 5) void afterTurns(turns, happen);
    return events;
  };
  const raw = new PassThrough();
  const written = text(raw);
  const stream = createEventStream(
    { feed, read, log: createLogger("silent") as FastifyBaseLogger },
    raw as unknown as ServerResponse,
    { filter: {}, after: eventOf(0).id, isReset: false, expiresAtMs: Date.now() + 60_000 },
  );
  await stream.begin();
  await afterTurns(turns + 1, happen);
  stream.end("done");
  expect(idsOf(await written)).toEqual(history.map((_, n) => n + 1));
});
