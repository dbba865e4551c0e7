// The API as far as an executor speaks to it, small enough to lose answers, refuse and go away on demand.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type CapacitySignal, type ProblemCode, problemCodes, type TaskPatch } from "@task-service/contract";
import { createFakeQueue } from "./fake-queue.ts";

export interface Seen {
  readonly operation: "capacity" | "release" | "patch" | "task";
  readonly body: CapacitySignal & TaskPatch & { reason?: string };
  /** Of a task or a dispatch. */
  readonly id: string;
  readonly token: string | undefined;
  readonly version: string | undefined;
}

type Answer = { status: number; body?: unknown } | "no answer";
type Rule = (seen: Seen) => Answer | undefined | Promise<Answer | undefined>;

export const problem = (code: ProblemCode, detail?: string): Answer => {
  const { status, title } = problemCodes[code];
  return { status, body: { type: "about:blank", title, status, detail: detail ?? title, code, request_id: "r" } };
};

const operationOf = (method: string | undefined, path: string): Seen["operation"] => {
  if (path.endsWith("/capacity")) return "capacity";
  if (path.endsWith("/release")) return "release";
  return method === "PATCH" ? "patch" : "task";
};

export const createFakeService = async ({ leaseSeconds = 60 as number | null } = {}) => {
  const seen: Seen[] = [];
  const { signal, end, patch, taskOf, ...queue } = createFakeQueue(leaseSeconds);
  /** Looked at before the real answer, which is given when none has one. */
  const rules: Rule[] = [];

  const resultOf = ({ operation, body, id, version }: Seen): unknown => {
    if (operation === "capacity") return signal(body);
    if (operation === "release") return end(id, "released");
    return operation === "patch" ? patch(body, version) : (taskOf(id) ?? "not_found");
  };
  const answerTo = async (one: Seen): Promise<Answer> => {
    const result = await resultOf(one);
    return typeof result === "string" ? problem(result as ProblemCode) : { status: 200, body: result };
  };

  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? "", "http://fake");
    const one: Seen = {
      operation: operationOf(request.method, pathname),
      id: pathname.split("/")[3] ?? "",
      body: JSON.parse((await text(request)) || "{}"),
      token: request.headers.authorization?.replace("Bearer ", ""),
      version: request.headers["if-match"],
    };
    seen.push(one);
    let answer: Answer | undefined;
    for (const rule of rules) answer ??= await rule(one);
    answer ??= await answerTo(one);
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
    ...queue,
    url: `http://127.0.0.1:${port}/api`,
    seen,
    rules,
    answerTo,
    requests: (operation: Seen["operation"]) => seen.filter((one) => one.operation === operation),
    /** Ids of the dispatches it knows to be finished. */
    finished: () =>
      [...queue.dispatches.values()].filter((one) => one.end === "finished").map(({ dispatch }) => dispatch.id),
    goAway,
    comeBack: async () => {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    close: () => (server.listening ? goAway() : Promise.resolve()),
  };
};

export type FakeService = Awaited<ReturnType<typeof createFakeService>>;
