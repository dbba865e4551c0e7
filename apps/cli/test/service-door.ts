// A door before a service, which can be shut and opened again: away and back for its clients, at the same address.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Open at first; shut for good with the test. */
export const openDoor = async (serviceUrl: string) => {
  const { hostname, port, pathname } = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  const server = createServer((outer) => {
    const inner = connect(Number(port), hostname);
    for (const [from, to] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined).on("close", () => to.destroy());
      from.pipe(to);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: doorPort } = server.address() as AddressInfo;
  const shut = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await closed;
  };
  const open = async (): Promise<void> => {
    server.listen(doorPort, "127.0.0.1");
    await once(server, "listening");
  };
  onTestFinished(() => (server.listening ? shut() : undefined));
  return { url: `http://127.0.0.1:${doorPort}${pathname}`, shut, open };
};
