// `/metrics` on a port of its own (D-35): what is on the API's port can be reached through the entry point, this cannot.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";

const answer = async (registry: Registry, response: ServerResponse): Promise<void> => {
  const metrics = await registry.metrics();
  response.writeHead(200, { "content-type": registry.contentType }).end(metrics);
};

export interface MetricsServer {
  address: AddressInfo;
  close(): Promise<void>;
}

/** Rejects if the address is taken. */
export const startMetricsServer = async (registry: Registry, host: string, port: number): Promise<MetricsServer> => {
  const server = createServer(({ method, url }, response) => {
    if (method === "GET" && url === "/metrics") {
      answer(registry, response).catch(() => response.writeHead(500).end());
    } else response.writeHead(404).end();
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    address: server.address() as AddressInfo,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
