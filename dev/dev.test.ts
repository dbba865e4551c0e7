// The life of `npm start`: up with one command, its data kept, nothing left behind however it ends (D-37).
import { once } from "node:events";
import { createServer } from "node:net";
import { createClient } from "@task-service/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { listenOn } from "./port-check.ts";
import { prepareStackPlace, type StackPlace, sixAreFree } from "./test/launched-stack.ts";

const patience = { timeout: 60_000 };
let place: StackPlace;

beforeAll(async () => {
  place = await prepareStackPlace();
});
afterAll(() => place.remove());

const memberClient = async () => {
  const token = await place.token("executor");
  return createClient({ baseUrl: `http://localhost:${place.port}/api`, token: () => token });
};

test("Data outlive SIGTERM and Ctrl-C, which leave nothing behind", patience, async () => {
  const first = await place.start("--bare");
  expect((await fetch(`http://localhost:${place.port + 1}/readyz`)).status).toBe(200);
  expect((await fetch(`http://localhost:${place.port}/`, { headers: { accept: "text/html" } })).status).toBe(200);
  const client = await memberClient();
  await client.createOrganization({ body: { slug: "kept" } });
  first.process.kill("SIGTERM");
  expect(await first.ended).toEqual([0, null]);
  expect(await place.left()).toEqual([]);

  const second = await place.start("--bare");
  expect(await client.getOrganization({ params: { organization: "kept" } })).toMatchObject({ slug: "kept" });
  // A terminal signals the whole group, and npm passes it on once more.
  for (const _ of ["terminal", "npm"]) process.kill(-second.pid, "SIGINT");
  expect(await second.ended).toEqual([0, null]);
  expect(await place.left()).toEqual([]);
  expect(await sixAreFree(place.port)).toBe(true);
});

test.runIf(process.platform === "linux")(
  "When a unit dies, or all is killed at once, nothing stays",
  patience,
  async () => {
    const stack = await place.start("--bare", "--reset");
    const client = await memberClient();
    expect(await client.listOrganizations()).toMatchObject({ items: [] });
    const api = (await place.left()).find(({ command }) => command.includes("apps/api"));
    process.kill(api?.pid ?? 0, "SIGKILL");
    expect(await stack.ended).toEqual([1, null]);
    expect(await stack.complaint).toContain("api ended with SIGKILL");
    expect(await place.left()).toEqual([]);

    const killed = await place.start();
    expect((await place.left()).map(({ command }) => command).join()).toContain("packages/executor");
    killed.process.kill("SIGKILL");
    await vi.waitUntil(async () => (await place.left()).length === 0, { timeout: 5_000 });
  },
);

test("A taken port is one line that names it and DEV_PORT", patience, async () => {
  for (const taken of [place.port, place.port + 5]) {
    const server = createServer();
    await listenOn(server, taken, "127.0.0.1");
    const { ended, complaint } = place.launch("--bare");
    expect(await ended).toEqual([1, null]);
    expect((await complaint).split("\n").filter((line) => !line.includes("│"))).toEqual([
      `Port ${taken} is taken by another process. DEV_PORT=<port> moves all six.`,
      "",
    ]);
    expect(await place.left()).toEqual([]);
    server.close();
    await once(server, "close");
  }
});
