// The switches of the git host: each fault as a client sees it, requests counted, repositories renamed, webhooks by owner.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Fault } from "./git-host-faults.ts";
import type { OwnerSwitches } from "./git-host-switches.ts";
import { type GitHostFixture, startFixture } from "./test/git-host-fixture.ts";

let fixture: GitHostFixture;
beforeAll(async () => {
  fixture = await startFixture({
    switches: true,
    files: {
      "acme/agents/README.md": "# Agents\n",
      "acme/agents/issues/1.yml": "title: One\n",
      "globex/agents/README.md": "# Others\n",
    },
  });
});
afterAll(() => fixture.stop());
afterEach(async () => {
  for (const owner of ["acme", "globex"]) {
    await fixture.turn("DELETE", `switches/${owner}`);
    await fixture.turn("DELETE", `requests/${owner}`);
  }
});

const set = async (switches: OwnerSwitches, owner = "acme"): Promise<void> => {
  expect(await fixture.turn("PUT", `switches/${owner}`, switches)).toMatchObject({ status: 204 });
};
const fail = (fault: Fault, at = "commits") => set({ faults: [{ ...fault, at }] });
const commits = "/repos/acme/agents/commits?limit=1";
const ask = (signal = AbortSignal.timeout(5000)) =>
  fetch(`${fixture.host.url}/api/v1${commits}`, {
    headers: { authorization: "token read" },
    redirect: "manual",
    signal,
  });

interface Log {
  requests: { path: string; status: number | null; in_flight: number }[];
  in_flight: number;
  in_flight_peak: number;
}
const log = async (owner = "acme") => (await fixture.turn("GET", `requests/${owner}`)).body as Log;

describe("a fault", () => {
  test.each([401, 403, 404, 429, 500, 503])("of status %i is the host's own error", async (status) => {
    await fail({ fault: "status", status, headers: { "Retry-After": "7" } });
    const answer = await fixture.get(commits);
    expect(answer).toMatchObject({ status, body: { url: `${fixture.host.url}/api/swagger` } });
    expect(answer.headers.get("retry-after")).toBe("7");
  });

  test("gives half a JSON of the right length, a page, or anything", async () => {
    await fail({ fault: "half-json" });
    const half = await (await ask()).text();
    expect(() => JSON.parse(half)).toThrow();
    await fail({ fault: "html" });
    expect((await ask()).headers.get("content-type")).toMatch("text/html");
    await fail({ fault: "answer", body: null });
    expect(await fixture.get(commits)).toMatchObject({ status: 200, body: null });
  });

  test("redirects to where it says, or to itself", async () => {
    await fail({ fault: "redirect", to: "http://other.example/", status: 307 });
    const away = await ask();
    expect([away.status, away.headers.get("location")]).toEqual([307, "http://other.example/"]);
    await fail({ fault: "redirect" });
    const loop = await ask();
    expect([loop.status, loop.headers.get("location")]).toEqual([302, `/api/v1${commits}`]);
  });

  test("never answers, or begins and never ends", async () => {
    await fail({ fault: "stall" });
    const patience = new AbortController();
    const stalled = ask(patience.signal);
    await vi.waitFor(async () => expect((await log()).in_flight).toBe(1), { timeout: 5000 });
    patience.abort();
    await expect(stalled).rejects.toThrow();
    await vi.waitFor(async () => expect(await log()).toMatchObject({ in_flight: 0, requests: [{ status: null }] }), {
      timeout: 5000,
    });

    await fail({ fault: "begin-and-stall" });
    const { status, body } = await ask();
    const reader = body?.getReader();
    expect([status, new TextDecoder().decode((await reader?.read())?.value)]).toEqual([
      200,
      expect.stringMatching(/^\[/),
    ]);
    expect((await log()).in_flight).toBe(1);
    await reader?.cancel();
  });

  test("cuts the connection in the middle, or at once", async () => {
    await fail({ fault: "cut-off" });
    const cut = await ask();
    expect(cut.status).toBe(200);
    await expect(cut.text()).rejects.toThrow();
    await fail({ fault: "drop" });
    await expect(ask()).rejects.toThrow();
  });

  test("waits as long as it says, or until the switches change", async () => {
    await fail({ fault: "slow", delay_ms: 40 });
    const began = performance.now();
    expect((await ask()).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(35);

    await fail({ fault: "hold" });
    const held = fixture.get(commits);
    await vi.waitFor(async () => expect((await log()).in_flight).toBe(1), { timeout: 5000 });
    await fail({ fault: "hold" }, "nothing");
    expect(await held).toMatchObject({ status: 200, body: [{ sha: expect.any(String) }] });
  });

  test("acts on its paths, its owner and as often as it says; the first that fits acts", async () => {
    await set({
      faults: [
        { fault: "status", status: 503, at: "^repos/acme/agents/commits\\?limit=1$", times: 2 },
        { fault: "status", status: 500, at: "branches" },
      ],
    });
    expect([await fixture.get(commits), await fixture.get(commits), await fixture.get(commits)]).toMatchObject([
      { status: 503 },
      { status: 503 },
      { status: 200 },
    ]);
    expect((await fixture.get("/repos/ACME/agents/branches/main")).status).toBe(500);
    expect((await fixture.get("/repos/globex/agents/branches/main")).status).toBe(200);
    await fixture.turn("DELETE", "switches/acme");
    expect((await fixture.get("/repos/acme/agents/branches/main")).status).toBe(200);
  });
});

test("A dialect is one owner's", async () => {
  await set({ dialect: "forgejo" });
  expect((await fixture.get("/repos/acme/nope")).body).toMatchObject({ errors: [] });
  expect((await fixture.get("/repos/globex/nope")).body).not.toMatchObject({ errors: [] });
});

test("Requests are told by owner, with how many there were at once", async () => {
  await fixture.turn("DELETE", "in-flight");
  await fail({ fault: "hold" });
  const held = [fixture.get(commits), fixture.get(commits), fixture.get(commits)];
  await vi.waitFor(async () => expect((await log()).in_flight).toBe(3), { timeout: 5000 });
  await fixture.get("/repos/globex/agents");
  await set({ faults: [] });
  await Promise.all(held);
  expect(await log()).toMatchObject({ in_flight: 0, in_flight_peak: 3 });
  expect((await log()).requests).toEqual(
    [1, 2, 3].map((in_flight) => ({ path: commits.slice(1), status: 200, in_flight })),
  );
  expect((await log("globex")).requests).toEqual([{ path: "repos/globex/agents", status: 200, in_flight: 1 }]);
  expect((await fixture.turn("GET", "in-flight")).body).toEqual({ in_flight: 0, in_flight_peak: 4 });
  await fixture.turn("DELETE", "requests/acme");
  expect(await log()).toEqual({ requests: [], in_flight: 0, in_flight_peak: 0 });
});

test("Asked as an owner, everything counts as theirs, and redirects stay there", async () => {
  const as = (path: string) =>
    fetch(`${fixture.host.url}/-/as/acme/api/v1${path}`, {
      headers: { authorization: "token read" },
      redirect: "manual",
    });
  await set({ dialect: "forgejo", faults: [{ fault: "status", status: 500, at: "^repos/globex/agents/branches" }] });
  expect(await (await as("/version")).json()).toEqual({ version: "12.0.0+gitea-1.22.0" });
  expect((await as("/repos/globex/agents/branches/main")).status).toBe(500);
  expect((await log()).requests.map(({ path }) => path)).toEqual(["version", "repos/globex/agents/branches/main"]);
  expect((await log("globex")).requests).toEqual([]);
  await set({ renames: { agents: "globex/personas" } }, "globex");
  expect((await as("/repos/globex/agents?a=b")).headers.get("location")).toBe(
    "/-/as/acme/api/v1/repos/globex/personas?a=b",
  );
});

test("A renamed repository has its new name everywhere, and the old ones lead there", async () => {
  const { body: before } = await fixture.get("/repos/acme/agents");
  const { body: now } = await fixture.get(commits);
  await set({ renames: { agents: "acme/people" }, webhook: fixture.webhook });
  const renamed = await fixture.get("/repos/acme/agents/contents/README.md?ref=main");
  expect([renamed.status, renamed.headers.get("location")]).toEqual([
    301,
    "/api/v1/repos/acme/people/contents/README.md?ref=main",
  ]);
  expect((await fixture.get("/repos/acme/people")).body).toEqual({
    ...(before as object),
    ...{ name: "people", full_name: "acme/people" },
    ...Object.fromEntries(
      Object.entries(before as object)
        .filter(([key, value]) => key.endsWith("url") && String(value).includes("acme/agents"))
        .map(([key, value]) => [key, value.replace("acme/agents", "acme/people")]),
    ),
  });
  // The same content is still the same commit.
  const [{ sha }] = now as [{ sha: string }];
  expect((await fixture.get(`/repos/acme/people/contents?ref=${sha}`)).status).toBe(200);
  await fixture.write("acme/agents/issues/1.yml", "title: Uno\n");
  const [told] = await fixture.delivered(1);
  expect(told?.payload).toMatchObject({ repository: { full_name: "acme/people" }, issue: { title: "Uno" } });

  await set({ renames: { people: "initech/people" } });
  for (const name of ["agents", "people"]) {
    const { status, headers } = await fixture.get(`/repos/acme/${name}`);
    expect([status, headers.get("location")]).toEqual([307, "/api/v1/repos/initech/people"]);
  }
  expect((await fixture.get("/repos/initech/people/issues/1")).status).toBe(200);
  const page = await fetch(`${fixture.host.url}/acme/agents/issues/1`);
  expect([page.status, page.url]).toEqual([200, `${fixture.host.url}/initech/people/issues/1`]);
  await set({ renames: { people: "acme/agents" } }, "initech");
  expect((await fixture.get("/repos/acme/agents")).body).toEqual(before);
});

test("A webhook is one owner's, from the moment it is set until it is taken back", async () => {
  fixture.deliveries.length = 0;
  await set({ webhook: fixture.webhook });
  await fixture.write("globex/agents/README.md", "# Changed\n");
  await fixture.write("acme/agents/README.md", "# Changed\n");
  await fixture.write("acme/made-later/README.md", "# Later\n");
  const names = (await fixture.delivered(2)).map(({ payload }) => (payload["repository"] as { name: string }).name);
  expect(names.sort()).toEqual(["agents", "made-later"]);
  // Set again, it begins anew: what went before is not told twice.
  await set({ webhook: fixture.webhook });
  await fixture.write("acme/agents/README.md", "# Changed again\n");
  await fixture.delivered(3);
  await set({ webhook: null });
});

test.each([
  ["PUT", "switches/acme", { faults: [{ fault: "status", status: 500, at: "(" }] }, 400],
  ["PUT", "switches/acme", { faults: [{ fault: "hiccup", at: "x" }] }, 400],
  ["PUT", "switches/acme", { faults: [{ fault: "stall" }] }, 400],
  ["PUT", "switches/acme", { fault: [] }, 400],
  ["PUT", "switches/acme", { dialect: "gogs" }, 400],
  ["PUT", "switches/acme", { renames: { agents: "people" } }, 400],
  ["PUT", "switches/acme", null, 400],
  ["GET", "switches/acme", undefined, 404],
  ["PUT", "levers/acme", {}, 404],
])("%s %s with %j is %i", async (method, path, body, status) => {
  expect((await fixture.turn(method, path, body)).status).toBe(status);
});

test("Nobody finds a switch on a host that has none", async () => {
  const plain = await startFixture({ files: { "acme/agents/README.md": "x" } });
  const put = await fetch(`${plain.host.url}/-/switches/acme`, { method: "PUT", body: "{}" });
  const get = await fetch(`${plain.host.url}/-/as/acme/api/v1/version`);
  expect([put.status, get.status]).toEqual([405, 404]);
  await plain.stop();
});
