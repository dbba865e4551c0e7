// The document is true: every operation is called, and everything that it declares is answered, and as declared.
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { announceLargeBody, declaredAnswers, nobody, routes, sendExample } from "./declared-answers.ts";
import { createFleet, createTask, type Fleet, newSlug, takeTask, writeRepoFile } from "./factories.ts";
import { answerCheck, fetchToken, startTestApp, type TestApp } from "./test-app.ts";

const json = { "content-type": "application/json" };
const wrongSignature = { "x-gitea-signature": "0".repeat(64) };

let app: TestApp;
let fleet: Fleet;
/** Has an agent type that became inactive. */
let idle: Fleet;
beforeAll(async () => {
  app = await startTestApp({ env: { MAX_TASK_DEPTH: "1" } });
  fleet = await createFleet(app);
  idle = await createFleet(app, ["developer", "leaver"]);
  await writeRepoFile(idle.organization.slug, "personas/leaver.md", undefined);
  await app.client.syncOrganization({ params: { organization: idle.organization.slug } });
});
afterAll(() => app.close());

type Send = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>;
const sender =
  (method: string): Send =>
  (path, body, headers) =>
    app.request(path, {
      method,
      headers: { authorization: `Bearer ${app.token}`, accept: "application/json", ...json, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
const [get, post, patch, remove] = [sender("GET"), sender("POST"), sender("PATCH"), sender("DELETE")];

describe("what every operation may answer", () => {
  test("something unknown, no token, the token of somebody else, an id that nothing has", async () => {
    const outsider = await fetchToken("outsider");
    for (const route of routes) {
      await sendExample(app, route, { search: "?priorty=1" });
      await sendExample(app, route, { headers: { authorization: "" } });
      await sendExample(app, route, { headers: { authorization: `Bearer ${outsider}` } });
      await sendExample(app, route);
    }
  });

  test("a body that is too large, or is no JSON", async () => {
    for (const route of routes.filter(({ method }) => method !== "get")) {
      await announceLargeBody(app, route, wrongSignature);
      await sendExample(app, route, { body: "prompt=x", headers: { "content-type": "text/plain", ...wrongSignature } });
    }
  });

  test("too many requests", async () => {
    const limited = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "1" } });
    // Executors' routes have a bucket of ten.
    for (let n = 0; n < 10; n++) await limited.request("/tasks/next");
    for (const route of [...routes, ...routes.slice(0, 1)]) await sendExample(limited, route);
    await limited.close();
  });

  test.each([{ DATABASE_URL: "postgres://postgres@127.0.0.1:1/none" }, { OIDC_DISCOVERY_URL: "http://127.0.0.1:1/" }])(
    "%j",
    async (env) => {
      const alone = await startTestApp({ env });
      for (const route of routes) await sendExample(alone, route);
      await alone.close();
    },
  );
});

describe("tasks", () => {
  const leaver = () => idle.agentTypes.leaver?.id;

  test.each([
    ["/tasks", (task: object) => task],
    ["/tasks/bulk", (task: object) => ({ tasks: [task] })],
  ])("POST %s", async (path, bodyOf) => {
    const assigned = { assignee_type: "agent", assignee: fleet.agentTypes.developer?.id, prompt: "x" };
    const key = { "idempotency-key": `walk${path}` };
    const first = await post(path, bodyOf(assigned), key);
    await post(path, bodyOf(assigned), key);
    await post(path, bodyOf({ ...assigned, prompt: "y" }), key);
    const created = (await first.json()) as { id?: string; items?: { id: string }[] };
    const parent = created.id ?? created.items?.[0]?.id ?? null;
    const child = await createTask(app, fleet, { parent_id: parent });
    await post(path, bodyOf({ ...assigned, parent_id: child.id }));
    await remove(`/tasks/${parent}`);
    await post(path, bodyOf(assigned), key);
    await post(path, bodyOf({ ...assigned, assignee: "acme/nobody" }));
    await post(path, bodyOf({ ...assigned, assignee: leaver() }));
  });

  test("one that is queued", async () => {
    const { id } = await createTask(app, fleet, { labels: ["a"] });
    const path = `/tasks/${id}`;
    for (const rest of ["", "/events", "/dispatches", "/position"]) await get(`${path}${rest}`);
    for (const list of ["?limit=1", "?sort=queue", "/count"]) await get(`/tasks${list}`);
    const [seen, newer] = [{ "if-match": '"1"' }, { title: "Another" }];
    for (const _ of [1, 2]) await patch(path, newer, seen);
    for (const assignee of ["acme/nobody", leaver()]) await patch(path, { assignee_type: "agent", assignee });
    await patch(path, { dispatch_id: nobody });
    await post(`${path}/requeue`, {});
    await post(`${path}/requeue`, {}, seen);
    await post("/tasks/batch", { ids: [id, nobody], patch: { priority: 7 } });
    await remove(path, undefined, seen);
    await remove(path);
  });

  test("notes", async () => {
    const { id } = await createTask(app, fleet);
    const key = { "idempotency-key": "walk-note" };
    const first = await post(`/tasks/${id}/notes`, { text: "word" }, key);
    await post(`/tasks/${id}/notes`, { text: "another" }, key);
    await post(`/tasks/${id}/notes`, { text: "word", dispatch_id: nobody });
    await get(`/tasks/${id}/notes?limit=1`);
    await get(`/tasks/${id}/notes/${((await first.json()) as { id: string }).id}`);
    await remove(`/tasks/${id}`);
    await post(`/tasks/${id}/notes`, { text: "word" }, key);
  });
});

describe("dispatch", () => {
  test("taking, keeping, ending", async () => {
    const { slug } = fleet.organization;
    await get(`/tasks/next?organization=${idle.organization.slug}`);
    await get("/tasks/next?organization=nobody");
    for (const _ of [1, 2]) await createTask(app, fleet);
    const { task, dispatch } = await takeTask(app, fleet, { claim_key: "walk" });
    const path = `/dispatches/${dispatch.id}`;
    for (const one of [path, "/dispatches?limit=1", `/tasks/${task.id}/dispatches`, "/executors"]) await get(one);
    await patch(`/tasks/${task.id}`, { prompt: "y" });
    await post(`${path}/heartbeat`, {});
    for (const end of ["finish", "heartbeat", "release"]) await post(`${path}/${end}`, {});
    await get(`/tasks/next?organization=${slug}&executor=test-1&claim_key=walk`);
    await post(`/tasks/${task.id}/requeue`, { dispatch_id: nobody });
    await post(`/tasks/${task.id}/requeue`, { reason: "again" });
    const second = await takeTask(app, fleet);
    for (const end of ["release", "finish"]) await post(`/dispatches/${second.dispatch.id}/${end}`, {});
  });

  test("signals of capacity", async () => {
    const filter = { organization: fleet.organization.slug };
    const signal = { executor: "walk", slots: 1, claim_key: "walk-2", sequence: 1, ...filter };
    const answer = (await (await post("/capacity", signal)).json()) as { dispatches: { dispatch: { id: string } }[] };
    await post("/capacity", signal);
    await post(`/dispatches/${answer.dispatches[0]?.dispatch.id}/finish`, {});
    await post("/capacity", { ...signal, sequence: 2 });
    await post("/capacity", { ...signal, organization: "nobody", claim_key: "walk-3" });
  });
});

test("organizations and agent types", async () => {
  const slug = newSlug();
  const path = `/organizations/${slug}`;
  const key = { "idempotency-key": "walk-organization" };
  await post("/organizations", { slug }, key);
  await post("/organizations", { slug: newSlug() }, key);
  await post("/organizations", { slug });
  for (const one of ["/organizations?limit=1", path, "/agent-types?limit=1"]) await get(one);
  await get(`/agent-types/${fleet.agentTypes.developer?.id}`);
  await get(`/agent-types/${fleet.agentTypes.developer?.id}/versions`);
  await patch(path, { name: "Walk" });
  await patch(path, { slug: fleet.organization.slug });
  await post(`${path}/sync`, {});
  await remove(path);
  await post("/organizations", { slug }, key);
  await createTask(app, idle);
  await remove(`/organizations/${idle.organization.slug}`);
});

test("history", async () => {
  await get("/events?limit=1");
  await app.request("/events?organization=nobody");
  const leaving = new AbortController();
  await app.request("/events", { signal: leaving.signal });
  leaving.abort();
});

test("the git host's webhook", async () => {
  for (const body of ["{}", "{"]) {
    const signature = createHmac("sha256", "test-signing-secret").update(body).digest("hex");
    await app.request("/webhooks/git", { method: "POST", body, headers: { ...json, "x-gitea-signature": signature } });
  }
});

/** Declared, for clients must be ready for it, but nothing here brings it about. */
const unprovoked: Record<string, string> = {
  internal_error: "no way is known",
  overloaded: "takes ten seconds of a stuck database",
  "syncOrganization 202": "takes a minute of a stuck git host",
  "getMe 503 database_unavailable": "asks no database",
  "receiveGitWebhook 503 database_unavailable": "asks the database after its answer",
  "changeTasks 503 database_unavailable": "says so of each task",
};

test("nothing declared was left out", () => {
  const isExpected = (one: string) => one in unprovoked || (one.split(" ")[2] ?? "") in unprovoked;
  expect(declaredAnswers.filter((one) => !answerCheck.seen.has(one) && !isExpected(one))).toEqual([]);
});
