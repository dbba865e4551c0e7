// `/openapi.json`, and `/docs`, a page to read it that loads nothing from elsewhere.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { describeApi } from "./openapi.ts";

/** `/openapi.json`. */
export const addOpenApiRoute = (app: FastifyInstance, version: string): void => {
  let document: string | undefined;
  app.get("/openapi.json", { config: { isPublic: true } }, async (_, reply) => {
    document ??= JSON.stringify(describeApi(version));
    return reply.type("application/json").send(document);
  });
};

const inlineScriptHashes = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );

const policy = (html: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${inlineScriptHashes(html).join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** `/docs`: Scalar, out of its package, with its script compressed once. */
export const addDocumentationPage = async (app: FastifyInstance): Promise<void> => {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const compressed = new Map<string, Promise<Buffer>>();

  await app.register(async (docs) => {
    docs.addHook("onRoute", (route) => {
      route.config = { ...route.config, isPublic: true };
    });
    docs.addHook("onSend", async (request, reply, payload) => {
      if (typeof payload !== "string") return payload;
      const type = String(reply.getHeader("content-type"));
      if (type.startsWith("text/html")) reply.header("Content-Security-Policy", policy(payload));
      if (!type.startsWith("application/javascript")) return payload;
      reply.header("Cache-Control", "public, max-age=3600").header("Vary", "Accept-Encoding");
      if (!/\bgzip\b/.test(String(request.headers["accept-encoding"]))) return payload;
      const script = compressed.get(request.url) ?? promisify(gzip)(payload);
      compressed.set(request.url, script);
      reply.header("Content-Encoding", "gzip").removeHeader("Content-Length");
      return script;
    });
    await docs.register(scalar, {
      routePrefix: "/docs",
      // The plugin redirects to the path without the public prefix.
      hooks: {
        onRequest: (request, reply, done) => {
          if (request.url === "/docs") reply.redirect(`${request.originalUrl}/`, 308);
          else done();
        },
      },
      configuration: {
        url: "../openapi.json",
        pageTitle: "Task service API",
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: "never",
      },
    });
  });
};
