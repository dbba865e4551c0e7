// The entry point in front of two small upstreams: what it passes on, what it ends, what it never does twice.
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startEntryPoint } from "./entry-point.ts";
import type { HttpListener } from "./http-listener.ts";

type Handler = (incoming: IncomingMessage, response: ServerResponse) => void;

const upstream = async () => {
  const state: { handle: Handler; hits: number } = { handle: (_, response) => response.end(), hits: 0 };
  const server = createServer((incoming, response) => {
    state.hits += 1;
    state.handle(incoming, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { state, url: `http://127.0.0.1:${port}`, stop };
};

let api: Awaited<ReturnType<typeof upstream>>;
let ui: Awaited<ReturnType<typeof upstream>>;
let entryPoint: HttpListener;
let base = "";

beforeEach(async () => {
  [api, ui] = await Promise.all([upstream(), upstream()]);
  entryPoint = await startEntryPoint({ host: "127.0.0.1", port: 0, apiUrl: api.url, uiUrl: ui.url });
  base = `http://localhost:${entryPoint.port}`;
});

afterEach(async () => {
  await Promise.all([entryPoint.stop(), api.stop(), ui.stop()]);
});

test.each([
  ["/api", "api"],
  ["/api/tasks?limit=5&q=a%2Fb", "api"],
  ["/", "ui"],
  ["/apis/x", "ui"],
  ["/tasks/api/1", "ui"],
])("%s goes to the %s with its path unchanged", async (path, where) => {
  const saying =
    (name: string): Handler =>
    ({ url }, response) =>
      response.end(`${name} ${url}`);
  api.state.handle = saying("api");
  ui.state.handle = saying("ui");
  expect(await (await fetch(base + path)).text()).toBe(`${where} ${path}`);
});

test("Headers of one connection stay there, those about the client are set and cannot be forged", async () => {
  api.state.handle = ({ headers }, response) =>
    response
      .writeHead(201, "Made", { location: "/api/x", "set-cookie": ["a=1", "b=2"], connection: "x-mine", "x-mine": "1" })
      .end(JSON.stringify(headers));
  const call = request(`${base}/api/x`, {
    headers: { connection: "close, x-hop", "x-hop": "1", "x-forwarded-for": "6.6.6.6", authorization: "Bearer t" },
  });
  const [answer] = (await once(call.end(), "response")) as [IncomingMessage];
  expect([answer.statusCode, answer.statusMessage]).toEqual([201, "Made"]);
  expect(answer.headers).toMatchObject({ location: "/api/x", "set-cookie": ["a=1", "b=2"] });
  expect(answer.headers).not.toHaveProperty("x-mine");
  const seen = JSON.parse(await text(answer));
  expect(seen).toMatchObject({
    authorization: "Bearer t",
    "x-forwarded-host": `localhost:${entryPoint.port}`,
    "x-forwarded-proto": "http",
  });
  expect(seen["x-forwarded-for"]).toMatch(/^(?:::1|127\.0\.0\.1)$/);
  expect(seen).not.toHaveProperty("x-hop");
});

test("Bodies go both ways whole, also for a method that seldom has one", async () => {
  api.state.handle = (incoming, response) => incoming.pipe(response);
  const sent = Buffer.alloc(5 * 1024 * 1024, "task ");
  const answer = await fetch(`${base}/api/bulk`, { method: "POST", body: sent });
  expect(Buffer.from(await answer.arrayBuffer()).equals(sent)).toBe(true);
  const call = request(`${base}/api/tasks`, { method: "DELETE", headers: { "transfer-encoding": "chunked" } });
  call.end("reason");
  const [deleted] = (await once(call, "response")) as [IncomingMessage];
  expect((await buffer(deleted)).toString()).toBe("reason");
});

test.each(["GET", "POST"])("A %s whose client goes is ended upstream", async (method) => {
  const arrived = Promise.withResolvers<ServerResponse>();
  api.state.handle = (_, response) => arrived.resolve(response);
  const client = new AbortController();
  const body = method === "POST" && { body: "{}" };
  const call = fetch(`${base}/api/tasks/next`, { method, signal: client.signal, ...body });
  const isRejected = expect(call).rejects.toThrow("aborted");
  const parked = await arrived.promise;
  const closed = once(parked, "close");
  client.abort();
  await closed;
  expect(parked.writableFinished).toBe(false);
  await isRejected;
});

test("Events arrive one by one, the head before the first", async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  api.state.handle = (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    arrived.resolve(response);
  };
  const answer = await fetch(`${base}/api/events`);
  const source = await arrived.promise;
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (const frame of ["data: 1\n\n", "data: 2\n\n"]) {
    source.write(frame);
    expect((await reader?.read())?.value).toBe(frame);
  }
  source.end();
});

test("A 503 is passed on as it is, after one try", async () => {
  api.state.handle = (_, response) => response.writeHead(503, { "retry-after": "7" }).end("busy");
  const answer = await fetch(`${base}/api/tasks/next`);
  expect([answer.status, answer.headers.get("retry-after"), await answer.text()]).toEqual([503, "7", "busy"]);
  expect(api.state.hits).toBe(1);
});

test("An upstream that breaks off is asked once, and what it half said does not look whole", async () => {
  api.state.handle = (incoming) => incoming.socket.destroy();
  expect((await fetch(`${base}/api/tasks/next`)).status).toBe(503);
  expect(api.state.hits).toBe(1);
  api.state.handle = (incoming, response) => {
    response.writeHead(200, { "content-length": "100" }).write("half", () => incoming.socket.destroy());
  };
  await expect(fetch(`${base}/api/tasks`).then((answer) => answer.text())).rejects.toThrow();
});

test("An upstream that is down is a problem document that says when to try again", async () => {
  await api.stop();
  const answer = await fetch(`${base}/api/tasks`, { method: "POST", body: "{}" });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  const problem = await answer.json();
  expect(problem).toMatchObject({ status: 503, code: "overloaded" });
});

test.each(["/metrics", "/api/metrics", "/api/metrics?x=1"])("%s is not reached from outside", async (path) => {
  expect((await fetch(base + path)).status).toBe(404);
  expect(api.state.hits + ui.state.hits).toBe(0);
});
