// A proxy between executors and replicas that spreads requests, passes by the dead, and spoils answers as planned.
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { listenOn } from "@task-service/dev/port-check.ts";
import type { FaultPlan } from "./fault-plan.ts";

export interface FaultProxyOptions {
  port: number;
  /** Ports of the replicas. */
  upstreams: readonly number[];
  plan: FaultPlan;
}

export interface FaultProxy {
  readonly origin: string;
  stop(): Promise<void>;
}

interface Sent {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const host = "127.0.0.1";
/** For so long a replica that refused a connection is not asked. */
const restMs = 300;
const unreachable: Answer = {
  status: 503,
  headers: { "content-type": "text/plain", "retry-after": "1" },
  body: Buffer.from("The service is not up."),
};

export const startFaultProxy = async ({ port, upstreams, plan }: FaultProxyOptions): Promise<FaultProxy> => {
  const agent = new Agent({ keepAlive: true });
  const restsUntil = new Map<number, number>();
  let turn = 0;

  /** Takes the next replica that may be up. Only a refused connection, where nothing was sent, is tried elsewhere. */
  const send = async (sent: Sent, signal: AbortSignal): Promise<Answer> => {
    for (let tried = 0; tried < upstreams.length; tried += 1) {
      const upstream = upstreams[turn++ % upstreams.length] ?? 0;
      if ((restsUntil.get(upstream) ?? 0) > performance.now()) continue;
      try {
        return await ask(agent, upstream, sent, signal);
      } catch (error) {
        if ((error as { code?: string }).code !== "ECONNREFUSED") throw error;
        restsUntil.set(upstream, performance.now() + restMs);
      }
    }
    return unreachable;
  };

  /** The second answer of two, from different replicas; the first is thrown away, or given up when the second is there. */
  const sendTwice = async (sent: Sent, delayMs: number, signal: AbortSignal): Promise<Answer> => {
    const first = new AbortController();
    void send(sent, AbortSignal.any([signal, first.signal])).catch(() => undefined);
    try {
      await delay(delayMs, undefined, { signal });
      return await send(sent, signal);
    } finally {
      first.abort();
    }
  };

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url: path = "/", headers } = incoming;
    const sent = { method, path, headers, body: await buffer(incoming) };
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const fault = plan.next(method);
    const isTwice = fault?.kind === "repeated";
    const answer = await (isTwice ? sendTwice(sent, fault.delayMs, gone.signal) : send(sent, gone.signal));
    if (fault) plan.happened(fault.kind);
    if (fault?.kind === "stalled") await delay(fault.delayMs, undefined, { signal: gone.signal });
    if (fault?.kind === "dropped") response.destroy();
    else if (fault?.kind === "cut") cut(response, answer);
    else response.writeHead(answer.status, endToEnd(answer.headers)).end(answer.body);
  };

  const server = createServer((incoming, response) => {
    // The client went, or the replica died on the way: either way there is nothing to answer.
    serve(incoming, response).catch(() => response.destroy());
  });
  return {
    origin: `http://${host}:${await listenOn(server, port, host)}`,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      agent.destroy();
    },
  };
};

/** Resolves when the whole answer is here: whatever the service commits for it is committed. */
const ask = (agent: Agent, port: number, sent: Sent, signal: AbortSignal): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method, path, body } = sent;
    const headers = { ...endToEnd(sent.headers), "content-length": String(body.byteLength) };
    const upstream = request({ agent, host, port, method, path, headers, signal }, (answer) => {
      buffer(answer).then(
        (whole) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: whole }),
        reject,
      );
    });
    upstream.on("error", reject);
    upstream.end(body);
  });

/** Promises the whole body, sends half of it and hangs up. */
const cut = (response: ServerResponse, { status, headers, body }: Answer): void => {
  if (body.byteLength < 2) {
    response.destroy();
    return;
  }
  response.writeHead(status, { ...endToEnd(headers), "content-length": String(body.byteLength) });
  response.write(body.subarray(0, body.byteLength >> 1), () => response.destroy());
};

const hopByHop = ["connection", "keep-alive", "transfer-encoding", "content-length", "host", "expect"];

const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.includes(name)));
