// Whether a TCP port can be had, and the error that says it cannot.
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";

/** Another process listens there. The message is the one line to show. */
export class PortTakenError extends Error {
  override readonly name = "PortTakenError";
  readonly port: number;

  constructor(port: number) {
    super(`Port ${port} is taken by another process.`);
    this.port = port;
  }
}

/** Listens and answers the port, which the system chooses for 0. Rejects with {@link PortTakenError}. */
export const listenOn = async (server: Server, port: number, host: string): Promise<number> => {
  server.listen(port, host);
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EADDRINUSE" ? new PortTakenError(port) : error;
  });
  return (server.address() as AddressInfo).port;
};

/** Rejects with {@link PortTakenError} unless `port` is free now; for 0 it answers one that is. */
export const requireFreePort = async (port: number, host: string): Promise<number> => {
  const probe = createServer();
  const free = await listenOn(probe, port, host);
  probe.close();
  await once(probe, "close");
  return free;
};
