// What executors without the library owe a service and an identity provider: waiting as long as they are asked to, and naming scope and resource.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, type TestContext, test, vi } from "vitest";

const example = (name: string): string => join(import.meta.dirname, "../../examples/executors", name);
const isThere = (command: string): boolean => spawnSync(command, ["--version"]).error === undefined;
/** More than the pause that the examples make by themselves. */
const retryAfterSeconds = 7;

/** Identity provider and service at once: too busy for the first request for a task; later ones wait for ever. */
const startBusyService = async ({ onTestFinished }: TestContext) => {
  const forms: string[] = [];
  const askedAtMs: number[] = [];
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object, headers = {}) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    if (request.url?.startsWith("/.well-known")) return answer(200, { token_endpoint: `${url}/token` });
    if (request.url === "/token") {
      forms.push(await text(request));
      return answer(200, { access_token: "x.y.z" });
    }
    if (request.headers.authorization !== "Bearer x.y.z") return answer(401, { code: "unauthenticated" });
    askedAtMs.push(performance.now());
    if (askedAtMs.length === 1) answer(429, { code: "rate_limited" }, { "Retry-After": retryAfterSeconds });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, forms, askedAtMs };
};

describe.concurrent("an executor of examples/executors", () => {
  test.for([
    { command: "sh", needs: "curl", args: [example("shell.sh"), "cat"] },
    { command: "python3", needs: "python3", args: [example("python_executor.py")] },
  ])(
    "in $needs waits as the service asks, and names scope and resource",
    { timeout: 60_000 },
    async ({ command, needs, args }, context) => {
      context.skip(!isThere(needs), `${needs} is not on this machine`);
      const { url, forms, askedAtMs } = await startBusyService(context);
      const child = spawn(command, args, {
        detached: true,
        stdio: "ignore",
        env: {
          PATH: process.env["PATH"],
          TASK_SERVICE_URL: `${url}/api`,
          OIDC_ISSUER: url,
          OIDC_CLIENT_ID: "executor",
          OIDC_CLIENT_SECRET: "secret",
          OIDC_SCOPE: "tasks.read tasks.write",
          OIDC_RESOURCE: "urn:tasks?a=b&c",
        },
      });
      const exited = once(child, "exit");
      context.onTestFinished(async () => {
        process.kill(-(child.pid ?? context.expect.fail()), "SIGKILL");
        await exited;
      });
      const [first = 0, second = 0] = await vi.waitFor(
        () => {
          context.expect(askedAtMs).toHaveLength(2);
          return askedAtMs;
        },
        { timeout: 40_000 },
      );
      context.expect(second - first).toBeGreaterThan(retryAfterSeconds * 1000 - 50);
      context
        .expect(forms.map((form) => Object.fromEntries(new URLSearchParams(form))))
        .toEqual([{ grant_type: "client_credentials", scope: "tasks.read tasks.write", resource: "urn:tasks?a=b&c" }]);
    },
  );
});
