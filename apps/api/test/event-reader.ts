// Reads the stream of events as a test needs it: every frame as it came, and a promise for the moment when enough came.
import { type IncomingMessage, request } from "node:http";
import type { Event } from "@task-service/contract";
import { expect, vi } from "vitest";
import type { TestApp } from "./test-app.ts";

export interface Frame {
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
  comment?: string;
}

export interface EventReader {
  response: IncomingMessage;
  /** All that came so far, comments too. */
  frames: Frame[];
  /** The events among them, without resets. */
  events(): Event[];
  /** What a client would send as `Last-Event-ID` now. */
  lastId(): string | undefined;
  /** The events, once there are `count`. */
  until(count: number): Promise<Event[]>;
  /** Settles when the connection is over. */
  ended: Promise<void>;
  close(): void;
}

/** A line `name: value` or `: comment`. */
const readFrame = (text: string): Frame =>
  Object.fromEntries(
    text.split("\n").map((line) => {
      const [, name = "", value = ""] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
      return [name || "comment", value];
    }),
  );

export interface ReaderOptions {
  query?: string;
  token?: string;
  headers?: Record<string, string>;
}

/**
 * Resolves when all that happened so far can be told: a stream that begins now begins after it. Transactions of other
 * test files, on the same server, may hold the history back for longer than a stream waits before it begins.
 */
export const allTold = async ({ sql, feed }: Pick<TestApp, "sql" | "feed">): Promise<void> => {
  const [last] = await sql<{ id: string }[]>`select lpad(max(id)::text, 16, '0') as id from events`;
  await vi.waitFor(async () => expect((await feed.settled()) >= (last?.id ?? "")).toBe(true), 15_000);
};

/** Resolves when the first frame has come, or the end of an answer that is no stream. */
export const readStream = async (
  app: TestApp,
  { query = "", token = app.token, headers = {} }: ReaderOptions = {},
): Promise<EventReader> => {
  const sent = request(`${app.baseUrl}/events${query}`, {
    agent: false,
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream", ...headers },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on("response", resolve).on("error", reject).end();
  });
  sent.on("error", () => {});
  const frames: Frame[] = [];
  let rest = "";
  response.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n\n");
    rest = parts.pop() ?? "";
    frames.push(...parts.map(readFrame));
  });
  const ended = new Promise<void>((resolve) => {
    response.on("error", () => {}).on("close", resolve);
  });
  const begun = new Promise<void>((resolve) => {
    response.on("data", () => frames.length > 0 && resolve());
  });
  await Promise.race([begun, ended]);
  const events = () =>
    frames.flatMap(({ event, data = "" }) => (event && event !== "reset" ? [JSON.parse(data) as Event] : []));

  return {
    response,
    frames,
    events,
    lastId: () => frames.findLast(({ id }) => id !== undefined)?.id,
    until: (count) =>
      vi.waitFor(
        () => {
          expect(events().length).toBeGreaterThanOrEqual(count);
          return events();
        },
        { timeout: 10_000, interval: 5 },
      ),
    ended,
    close: () => sent.destroy(),
  };
};
