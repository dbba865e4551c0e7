// The API as far as an executor speaks to it, small enough to lose answers, refuse and go away on demand.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Handoff, type ProblemCode, problemCodes } from "@task-service/contract";
import { handoffOf } from "./handoff-factory.ts";

interface Seen {
  readonly operation: string;
  readonly query: Record<string, string>;
  readonly body: { reason?: string };
  readonly dispatchId: string | undefined;
  readonly token: string | undefined;
}

type Answer = { status: number; body?: unknown } | "no answer";
type Rule = (seen: Seen) => Answer | undefined;

export const problem = (code: ProblemCode): Answer => {
  const { status, title } = problemCodes[code];
  return { status, body: { type: "about:blank", title, status, detail: title, code, request_id: "r" } };
};

export const createFakeService = async ({ leaseSeconds = 60 } = {}) => {
  const seen: Seen[] = [];
  const queue: Handoff["task"][] = [];
  const dispatches = new Map<string, Handoff & { claimKey: string | undefined; end?: string }>();
  const attempts = new Map<string, number>();
  /** Looked at before the real answer, which is given when none has one. */
  const rules: Rule[] = [];

  const takeNext = ({ query }: Seen): Answer => {
    const claimKey = query["claim_key"];
    const bound = [...dispatches.values()].find((one) => one.claimKey === claimKey);
    if (bound) return bound.end ? problem("claim_key_spent") : { status: 200, body: bound };
    const task = queue.shift();
    if (!task) return { status: 204 };
    const attempt = (attempts.get(task.id) ?? 0) + 1;
    attempts.set(task.id, attempt);
    const handoff = handoffOf(task, { attempt, lease_seconds: leaseSeconds, executor: query["executor"] ?? "" });
    dispatches.set(handoff.dispatch.id, { ...handoff, claimKey });
    return { status: 200, body: handoff };
  };

  const end = (id: string, outcome: string): Answer => {
    const handoff = dispatches.get(id);
    if (!handoff) return problem("not_found");
    if (handoff.end && (outcome === "alive" || handoff.end !== outcome)) return problem("stale_dispatch");
    if (outcome !== "alive") handoff.end = outcome;
    if (outcome === "release") queue.unshift(handoff.task);
    return { status: 200, body: handoff.dispatch };
  };

  const answerTo = (one: Seen): Answer => {
    if (one.operation === "next") return takeNext(one);
    return end(one.dispatchId ?? "", one.operation === "heartbeat" ? "alive" : one.operation);
  };

  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://fake");
    const [, dispatchId, operation = "next"] = /^\/api\/dispatches\/([^/]+)\/(\w+)$/.exec(pathname) ?? [];
    const one: Seen = {
      operation,
      dispatchId,
      query: Object.fromEntries(searchParams),
      body: JSON.parse((await text(request)) || "{}"),
      token: request.headers.authorization?.replace("Bearer ", ""),
    };
    seen.push(one);
    const ruled = rules.map((rule) => rule(one)).find(Boolean);
    const answer = ruled ?? answerTo(one);
    if (answer === "no answer") return void request.socket.destroy();
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(answer.body && JSON.stringify(answer.body));
  };

  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const goAway = async (): Promise<void> => {
    server.close().closeAllConnections();
    await once(server, "close");
  };

  return {
    url: `http://127.0.0.1:${port}/api`,
    seen,
    rules,
    dispatches,
    answerTo,
    requests: (operation: string) => seen.filter((one) => one.operation === operation),
    offer: (...tasks: Partial<Handoff["task"]>[]) => {
      for (const task of tasks) queue.push({ ...handoffOf().task, id: randomUUID(), ...task });
    },
    /** As a lease that ran out, or somebody who requeued the task. */
    takeAwayAll: () => {
      for (const dispatch of dispatches.values()) dispatch.end ??= "expired";
    },
    goAway,
    comeBack: async () => {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    close: () => (server.listening ? goAway() : Promise.resolve()),
  };
};

export type FakeService = Awaited<ReturnType<typeof createFakeService>>;
