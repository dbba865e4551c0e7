// Webhooks: signatures over the raw bytes, an answer at once, and the sync that a push starts (D-33).
import { createHmac } from "node:crypto";
import type { Problem } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createFleet, newSlug, personaFile, writeRepoFile } from "../../test/factories.ts";
import { switchesOf } from "../../test/git-host-switches.ts";
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
    await vi.waitFor(
      async () => {
        const { items } = await app.client.listAgentTypes({ query: { organization: slug, slug: "tester" } });
        expect(items).toHaveLength(1);
      },
      { timeout: 5000 },
    );
  });

  test.each([
    ["another branch", push("acme/acme-agents", "refs/heads/topic")],
    ["an unknown repository", push("nobody/nothing")],
    ["no repository at all", "{}"],
    ["a repository of no name", push("a\0/b")],
    ["a repository of too many names", push("acme/acme-agents/x")],
    ["null", "null"],
  ])("to %s is 202 and ignored", async (_, body) => {
    expect((await deliver(body, { "x-forgejo-signature": digest(body) })).status).toBe(202);
  });

  test("of a repository without a default branch is ignored, whatever the branch is called", async () => {
    const { organization } = await createFleet(app);
    const full_name = `${organization.slug}/${organization.slug}-agents`;
    const requested = async () => {
      const [row] = await app.sql<{ requested: number; is_served: boolean }[]>`
        select requested, served = requested as is_served from agent_syncs where organization_id = ${organization.id}`;
      return row;
    };
    for (const default_branch of [undefined, null]) {
      const ref = `refs/heads/${default_branch}`;
      const body = JSON.stringify({ ref, repository: { full_name, default_branch } });
      expect((await deliver(body, { "x-gitea-signature": digest(body) })).status).toBe(202);
    }
    const body = push(full_name);
    await deliver(body, { "x-gitea-signature": digest(body) });
    await vi.waitFor(async () => expect(await requested()).toEqual({ requested: 2, is_served: true }), {
      timeout: 5000,
    });
  });

  test("to a repository of 20 organizations synchronizes all of them, 8 at a time, though one cannot be", async () => {
    const host = switchesOf(newSlug());
    const crowded = await startTestApp({ env: { GIT_API_URL: host.apiUrl } });
    try {
      const owner = newSlug();
      await writeRepoFile(owner, "personas/developer.md", personaFile("developer"));
      const agents_repo_url = `${inject("gitUrl")}/${owner}/${owner}-agents`;
      const create = () => crowded.client.createOrganization({ body: { slug: newSlug(), agents_repo_url } });
      const [untried] = await Promise.all(Array.from({ length: 20 }, create));
      await crowded.sql.unsafe(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
        create trigger refuse before insert on agent_syncs for each row
        when (new.organization_id = '${untried?.id}') execute function refuse()`);
      await host.fault({ fault: "hold", at: "/commits" });
      const body = push(`${owner}/${owner}-agents`);
      await crowded.request("/webhooks/git", {
        method: "POST",
        body,
        headers: { "content-type": "application/json", "x-gitea-event": "push", "x-gitea-signature": digest(body) },
      });
      await vi.waitFor(async () => expect((await host.requests()).in_flight).toBe(8), { timeout: 5000 });
      expect(crowded.sync.underWay()).toBe(8);
      await host.fault();
      await vi.waitFor(
        async () => expect(await crowded.sql`select from agent_syncs where status = 'ok'`).toHaveLength(19),
        { timeout: 5000 },
      );
    } finally {
      await host.reset();
      await crowded.close();
    }
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
