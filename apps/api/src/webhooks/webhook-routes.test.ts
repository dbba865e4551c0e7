// Webhooks: signatures over the raw bytes, an answer at once, and the sync that a push starts (D-33).
import { createHmac } from "node:crypto";
import type { Problem } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createFleet, personaFile, writeRepoFile } from "../../test/factories.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

const secret = "test-signing-secret";
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const digest = (body: string, key = secret) => createHmac("sha256", key).update(body).digest("hex");
const deliver = (body: string, headers: Record<string, string>) =>
  app.request("/webhooks/git", {
    method: "POST",
    body,
    headers: { "content-type": "application/json", "x-gitea-event": "push", ...headers },
  });
const push = (full_name: string, ref = "refs/heads/main") =>
  JSON.stringify({ ref, repository: { full_name, default_branch: "main" } }, null, 2);

describe("a push", () => {
  test("to the agents repository, in any case, is 202 and synchronizes", async () => {
    const { organization } = await createFleet(app);
    const { slug } = organization;
    await writeRepoFile(slug, "personas/tester.md", personaFile("tester"));
    const body = push(`${slug.toUpperCase()}/${slug}-AGENTS`);
    const answer = await deliver(body, {
      "x-gitea-signature": digest(body),
      "x-hub-signature-256": `sha256=${digest(body)}`,
    });
    expect([answer.status, await answer.json()]).toEqual([202, { status: "accepted" }]);
    await vi.waitFor(async () => {
      const { items } = await app.client.listAgentTypes({ query: { organization: slug, slug: "tester" } });
      expect(items).toHaveLength(1);
    });
  });

  test.each([
    ["another branch", push("acme/acme-agents", "refs/heads/topic")],
    ["an unknown repository", push("nobody/nothing")],
    ["no repository at all", "{}"],
    ["null", "null"],
  ])("to %s is 202 and ignored", async (_, body) => {
    expect((await deliver(body, { "x-forgejo-signature": digest(body) })).status).toBe(202);
  });
});

describe("a delivery is 401", () => {
  const body = push("acme/acme-agents");
  test.each([
    ["without a signature", {}],
    [
      "with an empty one, as hosts without a secret send",
      { "x-gitea-signature": "", "x-hub-signature-256": "sha256=" },
    ],
    ["with SHA-1 only", { "x-hub-signature": `sha1=${"0".repeat(40)}` }],
    ["with an odd one", { "x-gitea-signature": digest(body).slice(1) }],
    ["with another secret's", { "x-gitea-signature": digest(body, "other") }],
    ["of another body", { "x-gitea-signature": digest(`${body} `) }],
    [
      "when one of two does not match",
      { "x-gitea-signature": digest(body), "x-forgejo-signature": digest(body, "other") },
    ],
  ])("%s", async (_, headers) => {
    const answer = await deliver(body, headers as Record<string, string>);
    expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([401, "unauthenticated"]);
  });
});

test("a form is 415: its signature is not over the bytes sent", async () => {
  const body = "payload=%7B%7D";
  const headers = { "content-type": "application/x-www-form-urlencoded", "x-gitea-signature": digest(body) };
  expect((await deliver(body, headers)).status).toBe(415);
});

test("broken JSON under a right signature is 400", async () => {
  expect((await deliver("{", { "x-gitea-signature": digest("{") })).status).toBe(400);
});
