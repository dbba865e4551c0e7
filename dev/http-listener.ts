// An HTTP server on loopback as people mean it: `localhost` may be 127.0.0.1 or ::1, and both must answer.
import { createServer, type RequestListener, type Server } from "node:http";
import { listenOn, PortTakenError } from "./port-check.ts";

export interface HttpListener {
  readonly port: number;
  /** Ends open connections too. */
  stop(): Promise<void>;
}

/** Listens on `host`, and for 127.0.0.1 on ::1 as well where the machine has it. Port 0 takes a free one. */
export const listenHttp = async (
  handler: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<HttpListener> => {
  const first = createServer(handler);
  const servers = [first];
  const taken = await listenOn(first, port, host);
  if (host === "127.0.0.1") {
    const second = createServer(handler);
    try {
      await listenOn(second, taken, "::1");
      servers.push(second);
    } catch (error) {
      if (!(error instanceof PortTakenError)) return { port: taken, stop: () => closeAll(servers) };
      await closeAll(servers);
      throw error;
    }
  }
  return { port: taken, stop: () => closeAll(servers) };
};

const closeAll = async (servers: Server[]): Promise<void> => {
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
  for (const server of servers) server.closeAllConnections();
  await Promise.all(closed);
};
