// Ports that stay ours while a process that listens on one is down: outside the range outgoing connections are given.
import { PortTakenError, requireFreePort } from "@task-service/dev/port-check.ts";

const firstPort = Number(process.env["CONFORMANCE_PORT"] ?? 21_200);
const portsEach = 12;
const blocks = 8;

const isFree = async (port: number): Promise<boolean> => {
  try {
    return (await requireFreePort(port, "127.0.0.1")) === port;
  } catch (error) {
    if (error instanceof PortTakenError) return false;
    throw error;
  }
};

/** The first of `count` free ports in a row. Test workers that run at once look in different places. */
export const findPorts = async (count: number): Promise<number> => {
  const worker = Number(process.env["VITEST_POOL_ID"] ?? 0);
  for (let block = worker % blocks, looked = 0; looked < blocks; block = (block + 1) % blocks, looked += 1) {
    const first = firstPort + block * portsEach;
    const free = await Promise.all(Array.from({ length: count }, (_, offset) => isFree(first + offset)));
    if (free.every(Boolean)) return first;
  }
  throw new Error(`No ${count} ports in a row are free from ${firstPort} on: set CONFORMANCE_PORT.`);
};
