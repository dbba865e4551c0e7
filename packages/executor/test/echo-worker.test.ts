// The echo worker as an executor starts it: what it reports, and the one review it asks for.
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Task } from "@task-service/contract";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createCommandRunner } from "../src/command-runner.ts";
import { handoffOf } from "./handoff-factory.ts";

const echo = join(import.meta.dirname, "../../../examples/executors/echo.mjs");
const bearer = "Bearer from-the-file";

let printed: string[];

/** The three operations a worker uses; a `problem` is what PATCH answers. */
const startService = async (problem?: object) => {
  const children: Partial<Task>[] = [];
  const patches: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    const send = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
    const body = JSON.parse((await text(request)) || "{}");
    if (request.headers.authorization !== bearer) return send(401, { code: "unauthenticated", detail: "no" });
    if (request.method === "GET") return send(200, { items: children, next_cursor: null });
    if (request.method === "PATCH") {
      patches.push(body);
      return problem ? send(409, problem) : send(200, {});
    }
    children.push({ ...body, agent_type: { slug: body.assignee.replace("acme/", "") } });
    return send(201, {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.close().closeAllConnections());
  return { serviceUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, children, patches };
};

const runnerFor = async (serviceUrl: string) => {
  const workDirectory = await mkdtemp(join(tmpdir(), "executor-test-"));
  onTestFinished(() => rm(workDirectory, { recursive: true }));
  const tokenFile = join(workDirectory, "token");
  await writeFile(tokenFile, "from-the-file\n");
  return createCommandRunner({
    command: [process.execPath, echo],
    workDirectory,
    serviceUrl,
    tokenFile,
    environment: { PATH: process.env["PATH"] },
    print: (_, line) => printed.push(line),
    log: (line) => printed.push(line),
  });
};

const { signal } = new AbortController();

beforeEach(() => {
  printed = [];
});

test("reports result and tokens for its dispatch, and asks for one review however often it is repeated", async () => {
  const service = await startService();
  const run = await runnerFor(service.serviceUrl);
  const handoff = handoffOf();
  handoff.task.title = "t".repeat(200);
  await run(handoff, signal);
  await run(handoff, signal);

  expect(service.patches[0]).toEqual({
    dispatch_id: handoff.dispatch.id,
    input_tokens: expect.any(Number),
    output_tokens: expect.any(Number),
    result: expect.stringContaining("> Fix the basket."),
  });
  expect(service.patches[0]?.["input_tokens"]).toBeGreaterThan(0);
  expect(service.patches[1]).toEqual(service.patches[0]);
  expect(service.children).toEqual([
    expect.objectContaining({
      assignee_type: "agent",
      assignee: "acme/reviewer",
      title: `Review: ${"t".repeat(192)}`,
      priority: 50,
      parent_id: handoff.task.id,
      prompt: expect.stringContaining(handoff.task.id),
    }),
  ]);
});

test("asks for no review of what is not a developer's", async () => {
  const service = await startService();
  const handoff = handoffOf();
  Object.assign(handoff.task, { agent_type: { ...handoff.task.agent_type, slug: "reviewer" } });
  await (await runnerFor(service.serviceUrl))(handoff, signal);
  expect(service.patches).toHaveLength(1);
  expect(service.children).toEqual([]);
});

test("fails with code and detail of a problem, and creates nothing then", async () => {
  const service = await startService({ code: "stale_dispatch", detail: "somebody else has it" });
  const run = (await runnerFor(service.serviceUrl))(handoffOf(), signal);
  await expect(run).rejects.toThrow(/^exit code 1: PATCH .*: stale_dispatch: somebody else has it$/);
  expect(service.children).toEqual([]);
});
