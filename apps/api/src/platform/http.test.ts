// Manners of the whole API (D-02 to D-05): prefix, request ids, methods, broken requests, limits, the document.
import { connect } from "node:net";
import { type Operation, operations, problemCodes } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let isDraining = false;
beforeAll(async () => {
  app = await startTestApp({ isDraining: () => isDraining });
});
afterAll(() => app.close());

const authorization = () => `Bearer ${app.token}`;
const post = (body: string | Uint8Array, contentType?: string) => ({
  method: "POST",
  body,
  headers: { authorization: authorization(), ...(contentType && { "content-type": contentType }) },
});

/** Bytes no HTTP client would send, and what came back. */
const sendRaw = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(new URL(app.origin).port), "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });

describe("prefix and answers", () => {
  test("every route answers with and without /api", async () => {
    const headers = { authorization: authorization() };
    const [prefixed, bare] = await Promise.all(
      [`${app.baseUrl}/me`, `${app.origin}/me`].map((url) => fetch(url, { headers })),
    );
    expect([prefixed?.status, bare?.status]).toEqual([200, 200]);
  });

  test("a sane X-Request-Id is echoed, another replaced", async () => {
    const idOf = async (id: string) =>
      (await app.request("/me", { headers: { authorization: authorization(), "x-request-id": id } })).headers.get(
        "x-request-id",
      );
    expect(await idOf("abc-123")).toBe("abc-123");
    expect(await idOf('"><script>')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("answers are not stored and not sniffed", async () => {
    const { headers } = await app.request("/me");
    expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual(["no-store", "nosniff"]);
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("what is refused, each with a problem document", () => {
  const json = "application/json";
  test.each([
    ["unknown path", "/nothing", {}, "not_found"],
    ["unparsable path", "/tasks/%zz", {}, "invalid_request"],
    ["over-long path", `/tasks/${"x".repeat(600)}`, {}, "uri_too_long"],
    ["unknown parameter", "/me?x=1", {}, "invalid_request"],
    ["id that is none", "/tasks/1", {}, "invalid_request"],
    ["wrong method", "/tasks", { method: "PUT" }, "method_not_allowed"],
    [
      "a form, as curl -d sends",
      "/tasks",
      () => post("prompt=x", "application/x-www-form-urlencoded"),
      "unsupported_media_type",
    ],
    ["another charset", "/tasks", () => post("{}", `${json}; charset=iso-8859-1`), "unsupported_media_type"],
    ["empty body", "/tasks", () => post("", json), "invalid_request"],
    ["broken JSON", "/tasks", () => post("{", json), "invalid_request"],
    ["JSON that is no object", "/tasks", () => post("[]", json), "invalid_request"],
    [
      "null where a body may be left out",
      "/dispatches/01a1fc7d-059e-71ce-8b5d-47f2932cc04a/finish",
      () => post("null", json),
      "invalid_request",
    ],
    ["invalid UTF-8", "/tasks", () => post(new Uint8Array([0x22, 0xff, 0x22]), json), "invalid_request"],
    ["__proto__", "/tasks", () => post('{"prompt":"x","__proto__":{"a":1}}', json), "invalid_request"],
    [
      "100,000 levels",
      "/tasks",
      () => post(`{"prompt":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, json),
      "invalid_request",
    ],
    ["NUL in text", "/tasks", () => post('{"prompt":"a\\u0000b"}', json), "invalid_request"],
    ["half a surrogate pair", "/tasks", () => post('{"prompt":"a\\ud800b"}', json), "invalid_request"],
    ["NUL in a parameter", "/organizations?q=a%00", {}, "invalid_request"],
    ["more than 4 MiB", "/tasks", () => post(`{"prompt":"${"x".repeat(4_200_000)}"}`, json), "payload_too_large"],
  ])("%s", async (_, path, init, code) => {
    const problem = await app.problem(path, typeof init === "function" ? init() : init);
    expect(problem).toMatchObject({ code, status: problemCodes[code as keyof typeof problemCodes].status });
    expect(Object.prototype).not.toHaveProperty("a");
  });

  test("a header that announces JSON without a body is no fault where none is needed", async () => {
    const answer = await app.problem("/dispatches/01a1fc7d-059e-71ce-8b5d-47f2932cc04a/finish", post("", json));
    expect(answer.code).toBe("not_found");
  });

  test("405 names what is allowed; HEAD is not a GET", async () => {
    const headers = { authorization: authorization() };
    const put = await app.request("/tasks", { method: "PUT", headers });
    expect(put.headers.get("allow")).toBe("GET, POST");
    expect((await app.request("/tasks/next", { method: "HEAD", headers })).status).toBe(405);
  });

  test("gzip bodies are refused, not misread", async () => {
    const init = {
      ...post("{}", json),
      headers: { authorization: authorization(), "content-type": json, "content-encoding": "gzip" },
    };
    expect((await app.problem("/tasks", init)).code).toBe("unsupported_media_type");
  });

  test("headers over 32 KiB are 431, garbage is 400, both on the bare socket", async () => {
    const large = await sendRaw(`GET /me HTTP/1.1\r\nHost: x\r\nX-Large: ${"x".repeat(40_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 431 [\s\S]*application\/problem\+json[\s\S]*"headers_too_large"/);
    const [, named] = /^X-Request-Id: (\S+)\r$/m.exec(large) ?? [];
    expect(large).toContain(`"request_id":"${named}"`);
    const smuggled = await sendRaw(
      "POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    );
    expect(smuggled).toMatch(/^HTTP\/1\.1 400 [\s\S]*"invalid_request"/);
  });

  test("parameters are numbers in any spelling JavaScript reads, and nothing else", async () => {
    const statusOf = async (limit: string) => (await app.request(`/tasks?${limit}`)).status;
    expect(await Promise.all(["limit=5", "limit=%205%20", "limit=0x10"].map(statusOf))).toEqual([200, 200, 200]);
    const refused = [
      "limit=",
      "limit=abc",
      "limit=1.5",
      "limit=0",
      "limit=201",
      "limit=1&limit=2",
      "priorty=1",
      "state=done",
    ];
    expect(await Promise.all(refused.map(statusOf))).toEqual(refused.map(() => 400));
  });
});

describe("limits", () => {
  test("a subject has a bucket, and executors' routes a larger one of their own", async () => {
    const limited = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "3" } });
    try {
      const statuses: number[] = [];
      for (let n = 0; n < 5; n++) statuses.push((await limited.request("/me")).status);
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
      const refused = await limited.request("/me");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ code: "rate_limited" });
      const next = await limited.request("/tasks/next");
      expect(next.status).toBe(204);
      expect([next.headers.get("ratelimit-limit"), next.headers.get("ratelimit-remaining")]).toEqual(["30", "29"]);
    } finally {
      await limited.close();
    }
  });
});

describe("health", () => {
  test("readiness follows the database and the drain", async () => {
    expect((await fetch(`${app.origin}/readyz`)).status).toBe(200);
    isDraining = true;
    const draining = await fetch(`${app.origin}/readyz`);
    isDraining = false;
    expect([draining.status, draining.headers.get("connection")]).toEqual([503, "close"]);
  });

  test("a database that is away is 503 with Retry-After everywhere, never 500", async () => {
    const away = await startTestApp({ env: { DATABASE_URL: "postgres://postgres@127.0.0.1:1/none" } });
    try {
      for (const path of ["/readyz", "/api/tasks", "/api/tasks/next"]) {
        const response = await fetch(`${away.origin}${path}`, { headers: { authorization: `Bearer ${away.token}` } });
        expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
        expect(await response.json()).toMatchObject({ code: "database_unavailable" });
      }
    } finally {
      await away.close();
    }
  });
});

interface Document {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, { responses: Record<string, unknown>; security?: unknown }>>;
  components: { schemas: Record<string, unknown> };
}

describe("OpenAPI", () => {
  test("3.1, every operation with its answers and problems, every reference resolved", async () => {
    const response = await app.request("/openapi.json", { headers: {} });
    const document = (await response.json()) as Document;
    expect(document.openapi).toBe("3.1.0");
    const untagged = Object.values(operations).filter(
      ({ tag }) => tag !== "Health" && !document.tags.some(({ name }) => name === tag),
    );
    expect(untagged).toEqual([]);
    for (const { path, method, response: answers, problems = [], tag, isPublic } of Object.values(
      operations,
    ) as readonly Operation[]) {
      const documented = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
      if (tag === "Health") expect(documented).toBeUndefined();
      else {
        const refusals = problems.map((code) => String(problemCodes[code].status));
        expect(Object.keys(documented?.responses ?? {})).toEqual(
          expect.arrayContaining([...Object.keys(answers), ...refusals, ...(isPublic ? [] : ["401", "403"])]),
        );
      }
    }
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining([...new Set(references)]));
  });

  test("/docs reads it without a script, a style or a font from elsewhere", async () => {
    const redirect = await fetch(`${app.baseUrl}/docs`, { redirect: "manual" });
    expect([redirect.status, redirect.headers.get("location")]).toEqual([308, "/api/docs/"]);
    const page = await fetch(`${app.baseUrl}/docs/`);
    const html = await page.text();
    expect(page.headers.get("content-security-policy")).toMatch(/script-src 'self' 'sha256-/);
    expect(html).not.toMatch(/(?:src|href)="https?:/);
    const script = new URL(/<script[^>]+src="([^"]+)"/.exec(html)?.[1] ?? "", `${app.baseUrl}/docs/`);
    expect((await fetch(script)).status).toBe(200);
  });
});
