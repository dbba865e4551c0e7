// How `task-service mcp` ends: calls under way are answered first, within a few seconds, and nothing else keeps it.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startCli } from "../../test/cli-process.ts";

/** A service that takes its time, longer than a process to see that its input has ended; or that never answers. */
const startSlowService = async (answerMs: number | undefined) => {
  const begun = Promise.withResolvers<void>();
  const server = createServer(async (_, response) => {
    begun.resolve();
    if (answerMs === undefined) return;
    await sleep(answerMs);
    response.writeHead(200, { "content-type": "application/json" }).end('{"items":[],"next_cursor":null}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  return { url, begun: begun.promise };
};

const startCall = async (answerMs?: number) => {
  const service = await startSlowService(answerMs);
  const { child, ended } = startCli(["mcp"], { TASK_SERVICE_URL: service.url, TASK_SERVICE_TOKEN: "x.y.z" });
  const params = { name: "list_agent_types", arguments: {} };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params })}\n`);
  await service.begun;
  return { ...service, child, ended };
};

const ends = [
  { how: "its input ends", begin: (child: ReturnType<typeof startCli>["child"]) => child.stdin.end() },
  { how: "SIGTERM", begin: (child: ReturnType<typeof startCli>["child"]) => child.kill("SIGTERM") },
];

test.each(ends)("a call under way is answered when $how", async ({ begin }) => {
  const { child, ended } = await startCall(500);
  begin(child);
  const { code, out, error } = await ended;
  expect([code, error]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({ id: 7, result: { structuredContent: { items: [], next_cursor: null } } });
});

test.each(ends)("a service that never answers does not keep it when $how", async ({ begin }) => {
  const { child, ended } = await startCall();
  begin(child);
  expect(await ended).toEqual({ code: 0, out: "", error: "" });
});
