// Where Forgejo answers otherwise than Gitea (shared/git-host/CONTRACT.md), of the same folders.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Dialect, dialects } from "./git-host-dialect.ts";
import { type GitHostFixture, startFixture } from "./test/git-host-fixture.ts";

const fixtures = {} as Record<Dialect, GitHostFixture>;
beforeAll(async () => {
  for (const dialect of dialects) {
    const files = {
      "acme/agents/personas/dev.md": "dev\n",
      "acme/agents/issues/1.yml": "title: One\n",
      "acme/agents/full.bin": "x".repeat(10 * 1024 * 1024),
      "acme/agents/large.bin": "x".repeat(10 * 1024 * 1024 + 1),
    };
    const fixture = await startFixture({ dialect, files, isHooked: true });
    await mkdir(join(fixture.reposDir, "acme/empty/personas"), { recursive: true });
    fixtures[dialect] = fixture;
  }
});
afterAll(async () => {
  for (const fixture of Object.values(fixtures)) await fixture.stop();
});

const both = async (path: string, authorization?: string) => ({
  gitea: await fixtures.gitea.get(path, authorization),
  forgejo: await fixtures.forgejo.get(path, authorization),
});

test("The version", async () => {
  expect(await both("/version")).toMatchObject({
    gitea: { body: { version: "1.27.1" } },
    forgejo: { body: { version: "12.0.0+gitea-1.22.0" } },
  });
});

test("A wrong token, and how a right one may be sent", async () => {
  expect(await both("/version", "token wrong")).toMatchObject({
    gitea: { status: 401, body: { message: "invalid username, password or token" } },
    forgejo: { status: 401, body: { message: "user does not exist [uid: 0, name: ]" } },
  });
  for (const scheme of ["token", "Bearer", "bearer"])
    expect(await both("/version", `${scheme} read`)).toMatchObject({
      gitea: { status: 200 },
      forgejo: { status: 200 },
    });
  expect(await both("/version", "Token read")).toMatchObject({ gitea: { status: 200 }, forgejo: { status: 401 } });
});

test("The bodies of a 404", async () => {
  const { gitea, forgejo } = await both("/repos/acme/nope");
  expect(Object.keys(gitea.body as object)).toEqual(["message", "url"]);
  expect(forgejo.body).toEqual({
    message: "The target couldn't be found.",
    url: `${fixtures.forgejo.host.url}/api/swagger`,
    errors: [],
  });
});

test("The last commit of an entry", async () => {
  const { gitea, forgejo } = await both("/repos/acme/agents/contents/personas/dev.md");
  const fields = (body: unknown) => Object.keys(body as object).filter((key) => key.startsWith("last"));
  expect(fields(gitea.body)).toEqual(["last_commit_sha", "last_committer_date", "last_author_date"]);
  expect(fields(forgejo.body)).toEqual(["last_commit_sha", "last_commit_when"]);
});

describe("an empty repository", () => {
  test.each(["", "/personas", "/personas?ref=main"])("has contents%s that are missing or nothing", async (path) => {
    expect(await both(`/repos/acme/empty/contents${path}`)).toMatchObject({
      gitea: { status: 404 },
      forgejo: { status: 200, body: [] },
    });
  });

  test("has no commits, which is 409 for both", async () => {
    const answers = await both("/repos/acme/empty/commits?limit=1&stat=false&files=false&verification=false");
    expect(answers).toMatchObject({ gitea: { status: 409 }, forgejo: { status: 409 } });
  });
});

test("A path that is not there is missing for both", async () => {
  const answers = await both("/repos/acme/agents/contents/nope");
  expect(answers).toMatchObject({ gitea: { status: 404 }, forgejo: { status: 404 } });
});

test("A file over the limit has no content, or looks empty", async () => {
  expect(await both("/repos/acme/agents/contents/large.bin")).toMatchObject({
    gitea: { body: { size: 10485761, encoding: null, content: null } },
    forgejo: { body: { size: 10485761, encoding: "base64", content: "" } },
  });
  const { forgejo } = await both("/repos/acme/agents/contents/full.bin");
  expect((forgejo.body as { content: string }).content).toHaveLength(Math.ceil(10485760 / 3) * 4);
});

test("Forgejo's webhooks have its own headers, no target type, and tell of no deletion", async () => {
  for (const fixture of Object.values(fixtures)) {
    await fixture.write("acme/agents/issues/1.yml", undefined);
    await fixture.write("acme/agents/issues/2.yml", "title: Two\n");
  }
  const told = (fixture: GitHostFixture) => fixture.deliveries.map(({ payload }) => payload["action"]);
  const [gitea] = await fixtures.gitea.delivered(2);
  const [forgejo] = await fixtures.forgejo.delivered(1);
  expect([told(fixtures.gitea), told(fixtures.forgejo)]).toEqual([["deleted", "opened"], ["opened"]]);
  const target = "x-gitea-hook-installation-target-type";
  expect([gitea?.headers[target], forgejo?.headers[target]]).toEqual(["repository", undefined]);
  expect(gitea?.headers["x-forgejo-event"]).toBeUndefined();
  for (const part of ["delivery", "event", "event-type", "signature"])
    expect(forgejo?.headers[`x-forgejo-${part}`]).toBe(forgejo?.headers[`x-gitea-${part}`]);
  expect(forgejo?.headers["x-forgejo-event"]).toBe("issues");
});
