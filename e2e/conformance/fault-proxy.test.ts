// The fault proxy does to answers what it says, and nothing to the others.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fault } from "./fault-plan.ts";
import { createFaultPlan } from "./fault-plan.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { seededRandom } from "./seeded-random.ts";

let upstreams: Server[];
/** The number of the upstream that served each request. */
let served: number[];
let proxy: FaultProxy | undefined;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeEach(async () => {
  served = [];
  upstreams = await Promise.all(
    [0, 1].map(
      (number) =>
        new Promise<Server>((resolve) => {
          const server = createServer((request, response) => {
            served.push(number);
            response.end(`${request.method} answered by ${number}`);
          });
          server.listen(0, "127.0.0.1", () => resolve(server));
        }),
    ),
  );
});
afterEach(async () => {
  await proxy?.stop();
  for (const server of upstreams) server.close();
});

const start = async (fault?: Fault): Promise<string> => {
  const counts = { dropped: 0, repeated: 0, stalled: 0, cut: 0 };
  const plan = { next: () => fault, happened: () => undefined, counts };
  proxy = await startFaultProxy({ port: 0, upstreams: upstreams.map(portOf), plan });
  return proxy.origin;
};

test("takes turns, and passes by a replica that is down without repeating anything", async () => {
  const origin = await start();
  for (let round = 0; round < 4; round += 1) await (await fetch(origin)).text();
  expect(served.toSorted()).toEqual([0, 0, 1, 1]);
  upstreams[0]?.close();
  upstreams[0]?.closeAllConnections();
  for (let round = 0; round < 4; round += 1) expect(await (await fetch(origin)).text()).toBe("GET answered by 1");
  expect(served).toHaveLength(8);
});

test("dropped: the replica has served it, the client hears nothing", async () => {
  const origin = await start({ kind: "dropped", delayMs: 0 });
  await expect(fetch(origin, { method: "POST", body: "{}" })).rejects.toThrow("fetch failed");
  expect(served).toHaveLength(1);
});

test("cut: half an answer", async () => {
  const response = await fetch(await start({ kind: "cut", delayMs: 0 }));
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

test("repeated: served by two replicas, answered by the second", async () => {
  const answer = await (await fetch(await start({ kind: "repeated", delayMs: 20 }))).text();
  expect(served).toHaveLength(2);
  expect(new Set(served).size).toBe(2);
  expect(answer).toBe(`GET answered by ${served[1]}`);
});

test("stalled: whole, but late", async () => {
  const begunMs = performance.now();
  expect(await (await fetch(await start({ kind: "stalled", delayMs: 100 }))).text()).toBe("GET answered by 0");
  expect(performance.now() - begunMs).toBeGreaterThanOrEqual(95);
});

test("with nobody up it answers 503", async () => {
  const origin = await start();
  for (const server of upstreams) {
    server.close();
    server.closeAllConnections();
  }
  expect((await fetch(origin)).status).toBe(503);
});

test("the plan spoils every n-th answer, the same ones for the same seed, and repeats nothing but GETs", () => {
  const planned = () => {
    const plan = createFaultPlan({ random: seededRandom(7), everyNth: 10, clientTimeoutMs: 1000 });
    return Array.from({ length: 400 }, (_, index) => plan.next(index % 20 === 19 ? "POST" : "GET"));
  };
  const faults = planned();
  expect(faults.flatMap((fault, index) => (fault ? [index % 10] : []))).toEqual(Array.from({ length: 40 }, () => 9));
  expect(faults).toEqual(planned());
  const ofPosts = faults.filter((_, index) => index % 20 === 19).map((fault) => fault?.kind);
  expect(new Set(ofPosts)).toEqual(new Set(["dropped", "stalled", "cut"]));
});
