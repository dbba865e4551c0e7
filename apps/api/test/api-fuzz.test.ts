// Every operation, driven by nothing but the OpenAPI document with valid, boundary and broken values. FUZZ_RUNS: how many; FUZZ_SEED: which.
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nobody, routeOf, routes } from "./declared-answers.ts";
import { createPool, type FuzzPool } from "./fuzz-pool.ts";
import { judge, type Verdict } from "./fuzz-verdict.ts";
import { type FuzzRequest, requestsTo } from "./request-arbitraries.ts";
import { startTestApp, type TestApp } from "./test-app.ts";

const runs = Number(process.env.FUZZ_RUNS ?? 2500);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const runsBetweenFillings = 200;

let app: TestApp;
let pool: FuzzPool;
beforeAll(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "0" } });
  pool = createPool(app);
});
afterAll(() => app.close());

const sign = (body: string) => createHmac("sha256", "test-signing-secret").update(body).digest("hex");

const send = ({ operationId, method, path, query, headers, body }: FuzzRequest): Promise<Response> => {
  const { path: template } = routeOf(operationId);
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const search = new URLSearchParams(query).toString();
  return app.request(`${filled}${search && `?${search}`}`, {
    method,
    headers: {
      ...headers,
      accept: "application/json",
      authorization: `Bearer ${app.token}`,
      ...(template.startsWith("/webhooks/") && { "x-gitea-signature": sign(body ?? "") }),
    },
    ...(body !== undefined && { body }),
  });
};

test(
  `no 5xx, problems only, nothing valid refused, nothing broken accepted, all of it read back: ${runs} requests`,
  async () => {
    const verdicts = new Map<string, Set<Verdict>>(routes.map(({ operation }) => [operation.operationId, new Set()]));
    const counts = { accepted: 0, refused: 0 };
    const requests = fc.oneof(
      ...routes.map((route) => ({
        // What is gone is no good for the others.
        weight: route.method === "delete" ? 1 : 4,
        arbitrary: requestsTo(route, pool.meaningOf(route)),
      })),
    );
    let calls = 0;
    const property = fc.asyncProperty(requests, async (request) => {
      if (calls++ % runsBetweenFillings === 0) await pool.fill();
      const answer = await send(request);
      const content: unknown = answer.status === 204 ? undefined : await answer.json();
      const verdict = await judge(app, request, answer, content);
      counts[verdict] += 1;
      verdicts.get(request.operationId)?.add(verdict);
      if (verdict === "accepted" && content !== undefined) pool.learn(routeOf(request.operationId), content);
    });
    await fc.assert(property, { numRuns: runs, seed, endOnFailure: false });
    process.stdout.write(
      `fuzz: calls ${calls}, accepted ${counts.accepted}, refused ${counts.refused}, 5xx 0, seed ${seed}\n`,
    );
    const neverAccepted = [...verdicts].filter(([, seen]) => !seen.has("accepted")).map(([name]) => name);
    // Two ids that belong together are rarely met by chance; every note that is created is read back.
    expect(neverAccepted.filter((name) => name !== "getNote")).toEqual([]);
  },
  60_000 + 60 * runs,
);

test.each([`after=${nobody}`, "after=", "type=task.created&type=x", `organization=${nobody}`, "task=%00", "limit=0"])(
  "a stream that begins with %s is opened or refused as declared",
  async (search) => {
    const leaving = new AbortController();
    const answer = await app.request(`/events?${search}`, {
      headers: { authorization: `Bearer ${app.token}`, "last-event-id": "../.." },
      signal: leaving.signal,
    });
    leaving.abort();
    expect(answer.status).toBeLessThan(500);
  },
);
