// Hints between replicas: heard by all others soon, sent seldom, and never worth a failure.
import { createServer, connect as openSocket, type Server, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { createLogger } from "./logger.ts";
import { createNotifications, type Notifications, type Topic } from "./notifications.ts";

const log = createLogger("silent");
let app: TestApp;
const opened: Notifications[] = [];
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});
afterAll(() => app.close());

const open = (url = app.databaseUrl): Notifications => {
  const one = createNotifications({ url, log });
  opened.push(one);
  return one;
};
/** A replica that listens, and what it heard since it began to. */
const listener = async (): Promise<{ heard: Topic[]; self: Notifications }> => {
  const self = open();
  const heard: Topic[] = [];
  await self.listen((topic) => heard.push(topic));
  expect(heard.splice(0).toSorted()).toEqual(["ended", "queued"]);
  return { heard, self };
};
const terminateListeners = () => app.sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'task-service notifications'
`;

test("every other replica hears it, the sender does not", async () => {
  const [sender, one, two] = [await listener(), await listener(), await listener()];
  sender.self.notify("queued");
  await vi.waitFor(() => expect([one.heard, two.heard]).toEqual([["queued"], ["queued"]]), { timeout: 5000 });
  one.self.notify("ended");
  await vi.waitFor(() => expect([sender.heard, two.heard]).toEqual([["ended"], ["queued", "ended"]]), {
    timeout: 5000,
  });
});

test("a thousand hints at once are a few, and the last one is not swallowed", async () => {
  const { heard } = await listener();
  const sender = open();
  for (let n = 0; n < 1000; n++) sender.notify("queued");
  await vi.waitFor(() => expect(heard).toHaveLength(2), { timeout: 5000 });
  const startMs = performance.now();
  sender.notify("queued");
  sender.notify("ended");
  await vi.waitFor(() => expect(heard.toSorted()).toEqual(["ended", "queued", "queued", "queued"]), { timeout: 5000 });
  expect(performance.now() - startMs).toBeLessThan(500);
});

test("what others say on the channel is not believed", async () => {
  const { heard } = await listener();
  for (const payload of ["", "nonsense", "constructor somebody", "queued"]) {
    await app.sql`select pg_notify('task_service', ${payload})`;
  }
  open().notify("ended");
  await vi.waitFor(() => expect(heard).toContain("ended"), { timeout: 5000 });
  expect(heard.filter((topic) => topic !== "queued")).toEqual(["ended"]);
});

test("after its connection was ended it listens again, and takes both topics for missed", async () => {
  const { heard } = await listener();
  for (let n = 1; n <= 3; n++) {
    await terminateListeners();
    await vi.waitFor(() => expect(heard.toSorted()).toEqual(["ended", "queued"]), { timeout: 5000 });
    heard.splice(0);
  }
  open().notify("ended");
  await vi.waitFor(() => expect(heard).toEqual(["ended"]), { timeout: 5000 });
});

/** A way to the database that can be closed. */
const startProxy = async (port = 0): Promise<{ server: Server; url: string; close: () => Promise<void> }> => {
  const { hostname, port: databasePort } = new URL(app.databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const upstream = openSocket(Number(databasePort), hostname);
    for (const one of [socket, upstream]) sockets.add(one.on("error", () => {}));
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  const ownPort = typeof address === "object" && address ? address.port : 0;
  return {
    server,
    url: Object.assign(new URL(app.databaseUrl), { hostname: "127.0.0.1", port: `${ownPort}` }).href,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

test("a database that is out of reach at first, and again later, is listened to once it is there", async () => {
  const first = await startProxy();
  const port = Number(new URL(first.url).port);
  await first.close();
  const heard: Topic[] = [];
  const early = open(first.url);
  const beginning = early.listen((topic) => heard.push(topic)).catch(() => {});
  const refused = vi.fn();
  await vi.waitFor(
    () => {
      openSocket(port, "127.0.0.1").on("error", refused);
      expect(refused.mock.calls.length).toBeGreaterThan(3);
    },
    { timeout: 5000 },
  );
  const second = await startProxy(port);
  await vi.waitFor(() => expect(new Set(heard)).toEqual(new Set(["queued", "ended"])), { timeout: 6000 });
  await second.close();
  heard.splice(0);
  const third = await startProxy(port);
  await vi.waitFor(() => expect(new Set(heard)).toEqual(new Set(["queued", "ended"])), { timeout: 6000 });
  await early.close();
  await beginning;
  await third.close();
});

test("a hint that cannot be sent fails nobody, also after the end", async () => {
  const debug = vi.spyOn(log, "debug");
  const failing = createNotifications({ url: "postgres://postgres@127.0.0.1:1/nowhere", log });
  failing.notify("queued");
  await vi.waitFor(() => expect(debug).toHaveBeenCalled(), { timeout: 5000 });
  await failing.close();
  failing.notify("queued");
  await vi.waitFor(() => expect(debug).toHaveBeenCalledTimes(2), { timeout: 5000 });
  await failing.close();
  debug.mockRestore();
});
