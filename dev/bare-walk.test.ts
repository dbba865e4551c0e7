// A program that knows nothing but the contract walks through the main job of `npm start -- --bare`, with plain HTTP.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "./dev-settings.ts";
import { type Launched, prepareStackPlace, type StackPlace } from "./test/launched-stack.ts";

let place: StackPlace;
let stack: Launched;
let member = "";
beforeAll(async () => {
  place = await prepareStackPlace();
  stack = await place.start("--bare");
  member = await place.token("executor");
}, 60_000);
afterAll(async () => {
  stack.process.kill("SIGTERM");
  await stack.ended;
  await place.remove();
}, 30_000);

/** This program has no types, only what the contract says. */
type Json = ReturnType<typeof JSON.parse>;

const call = async (
  method: string,
  path: string,
  body?: unknown,
  token = member,
): Promise<{ status: number; json: Json }> => {
  const response = await fetch(`http://localhost:${place.port}/api${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
};

test("organization, sync, task, hand-over, tokens, follow-up, empty queue", async () => {
  expect(await call("GET", "/tasks/next")).toMatchObject({ status: 204 });
  expect((await call("POST", "/organizations", { slug: "acme" })).status).toBe(201);
  const sync = await call("POST", "/organizations/acme/sync");
  expect(sync).toMatchObject({ status: 200, json: { status: "ok", errors: [], warnings: [] } });

  const types: Json[] = (await call("GET", "/agent-types?organization=acme")).json.items;
  const idOf = (slug: string): string => types.find((type) => type.slug === slug).id;
  const created = await call("POST", "/tasks", {
    assignee_type: "agent",
    assignee: idOf("developer"),
    prompt: "Mend the login",
    priority: 7,
  });
  expect(created).toMatchObject({ status: 201, json: { state: "queued", priority: 7, title: "Mend the login" } });

  const { status, json: handoff } = await call("GET", "/tasks/next");
  expect(status).toBe(200);
  expect(handoff.task).toMatchObject({ id: created.json.id, prompt: "Mend the login", state: "dispatched" });
  const file = await readFile(join(root, "examples/repos/acme/acme-agents/personas/developer.md"), "utf8");
  expect(file.endsWith(`\n---\n${handoff.agent_type.body}`)).toBe(true);

  const patched = await call("PATCH", `/tasks/${created.json.id}`, { input_tokens: 1200, output_tokens: 34 });
  expect(patched).toMatchObject({ status: 200, json: { input_tokens: 1200, output_tokens: 34 } });
  const review = {
    assignee_type: "agent",
    assignee: "acme/reviewer",
    prompt: "Review it",
    priority: 7,
    parent_id: created.json.id,
  };
  expect((await call("POST", "/tasks", review)).json).toMatchObject({ parent_id: created.json.id, depth: 1 });
  expect((await call("GET", "/tasks/next")).json.agent_type.slug).toBe("reviewer");
  expect((await call("GET", "/tasks/next")).status).toBe(204);
});

test("every wrong token is refused with its status and a problem document", async () => {
  const [header, payload, signature] = member.split(".");
  const unsigned = Buffer.from(JSON.stringify({ alg: "none", typ: "at+jwt" })).toString("base64url");
  const tokens = [
    ["", 401, "unauthenticated"],
    ["nonsense", 401, "unauthenticated"],
    [`${header}.${payload}.${signature?.split("").reverse().join("")}`, 401, "unauthenticated"],
    [`${unsigned}.${payload}.`, 401, "unauthenticated"],
    [await place.token("outsider"), 403, "not_a_member"],
  ] as const;
  for (const [token, status, code] of tokens) {
    expect(await call("GET", "/tasks", undefined, token)).toMatchObject({ status, json: { status, code } });
  }
});
