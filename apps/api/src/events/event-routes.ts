// HTTP of the history (D-28): as a stream, or in pages for who asks for JSON.
import type { OutgoingHttpHeaders } from "node:http";
import { type EventFilters, type EventQuery, operations } from "@task-service/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createConcurrencyLimit } from "../platform/concurrency-limit.ts";
import type { Queryable, Sql } from "../platform/database.ts";
import { endpoint } from "../platform/endpoint.ts";
import { isUuid } from "../platform/identifiers.ts";
import { readCursor, rowsToRead, toPage } from "../platform/pagination.ts";
import { invalid, RequestProblem } from "../platform/problems.ts";
import type { EventFeed } from "./event-feed.ts";
import { readPosition } from "./event-position.ts";
import { createEventStream, replayRows } from "./event-stream.ts";
import { beforeFirst, type EventFilter, isKept, listNewest, readStretch, type Stretch } from "./history-queries.ts";

export interface EventRoutesDeps {
  sql: Sql;
  feed: EventFeed;
  retentionDays: number;
  isDraining: () => boolean;
  /** The ids of those that exist; slugs are theirs now. */
  findOrganizationIds: (sql: Queryable, idsOrSlugs: readonly string[]) => Promise<string[]>;
}

type EventRequest = FastifyRequest<{ Querystring: EventQuery; Headers: { "last-event-id"?: string } }>;

/** Replays that read at the same moment: all streams come again at once when a replica has gone. */
const replaysAtOnce = 2;

const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
  // It is over when it ends: a kept connection would hold a stopping process back.
  connection: "close",
};

/** Only who names JSON, and no stream, gets pages. */
const wantsPages = ({ headers: { accept = "" } }: FastifyRequest): boolean => {
  const types = accept.split(",").map((one) => one.split(";", 1)[0]?.trim().toLowerCase());
  return types.includes("application/json") && !types.includes("text/event-stream");
};

const positionOf = ({ query, headers }: EventRequest) => readPosition(query.after, headers["last-event-id"]);

export const addEventRoutes = (app: FastifyInstance, deps: EventRoutesDeps): void => {
  const { sql, feed, retentionDays, isDraining, findOrganizationIds } = deps;
  const limited = createConcurrencyLimit(replaysAtOnce);

  /** Undefined if there is no organization of that name; one that was deleted still has its events, by id. */
  const filterOf = async ({ organization, task, type }: EventFilters): Promise<EventFilter | undefined> => {
    const [id] =
      organization === undefined || isUuid(organization)
        ? [organization]
        : await findOrganizationIds(sql, [organization]);
    if (organization !== undefined && id === undefined) return undefined;
    return {
      ...(id && { organization_id: id }),
      ...(task && { task_id: task }),
      ...(type && { types: [...new Set(type)] }),
    };
  };

  const stream = async (request: EventRequest, reply: FastifyReply): Promise<void> => {
    const { query, caller, log, signal } = request;
    // Its reader went, or was told that this takes too long, while it waited for the replays of others.
    const isOver = () => signal.aborted || reply.raw.closed;
    const given = positionOf(request);
    for (const name of ["limit", "cursor"] as const) {
      if (query[name] !== undefined) throw invalid(`?${name}`, "is for pages: send `Accept: application/json` for one");
    }
    if (isDraining()) {
      throw new RequestProblem("overloaded", "This process is stopping.", { headers: { "Retry-After": "1" } });
    }
    const filter = await filterOf(query);
    if (isOver()) return void reply.hijack();
    if (!filter) {
      const detail = "There is no such organization.";
      throw new RequestProblem("unknown_filter", detail, { errors: [{ pointer: "?organization", detail }] });
    }
    const isReset = given !== undefined && !(await limited(async () => isOver() || isKept(sql, given, retentionDays)));
    if (isOver()) return void reply.hijack();
    const after = isReset ? undefined : given;
    const read = (stretch: Stretch) => limited(() => readStretch(sql, filter, stretch, replayRows));
    const start = { filter, after, isReset, expiresAtMs: caller.expiresAt * 1000 };
    const events = createEventStream({ feed, read, log }, reply.raw, start);
    reply.raw.once("close", () => events.end("gone"));
    try {
      await events.open();
      reply.hijack();
      if (isOver()) return events.end("gone");
      reply.raw.writeHead(200, { ...reply.getHeaders(), ...streamHeaders } as OutgoingHttpHeaders);
      await events.begin();
    } catch (error) {
      events.end("failed");
      throw error;
    }
  };

  const streamUnlessPages = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!wantsPages(request)) await stream(request as EventRequest, reply);
  };

  endpoint(
    app,
    operations.listEvents,
    async (request) => {
      const { query } = request;
      const after = positionOf(request) ?? beforeFirst;
      const filter = await filterOf(query);
      const [before] = readCursor(query, ["eventId"]) ?? [];
      const end = before === undefined ? { upTo: await feed.settled() } : { before };
      const events = filter ? await listNewest(sql, filter, { after, ...end }, rowsToRead(query)) : [];
      return toPage(query, events, ({ id }) => [id]);
    },
    { preHandler: streamUnlessPages },
  );

  // What this process changed is told at once; what others did is found at the next look.
  app.addHook("onResponse", async ({ method, routeOptions }, { statusCode }) => {
    const isChange = method !== "GET" || routeOptions.url === operations.takeNextTask.path;
    if (isChange && statusCode < 400) feed.nudge();
  });
};
