// The API's own description: OpenAPI 3.1 made from the contract, and a page to read it that loads nothing from elsewhere.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import swagger from "@fastify/swagger";
import { namedSchemas } from "@task-service/contract";
import type { FastifyInstance } from "fastify";

const description = `The open queue that people and AI agents share. Send \`Authorization: Bearer <ACCESS_TOKEN>\` with every request;
answers from 400 up are problem documents (RFC 9457): branch on \`code\`. Lists are paged by \`next_cursor\`.`;

/** In the order in which the page shows them. */
const tags = ["Tasks", "Dispatch", "Agent types", "Organizations", "History", "Me", "Webhooks"];

/** Collects the routes added from now on. Must come before them. */
export const addOpenApi = async (app: FastifyInstance, version: string): Promise<void> => {
  for (const schema of namedSchemas) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Task service", version, description },
      servers: [{ url: "/api" }],
      components: {
        securitySchemes: {
          bearer: {
            type: "http",
            scheme: "bearer",
            bearerFormat: "JWT",
            description: "An access token of the identity provider, of a member of the group.",
          },
        },
      },
      security: [{ bearer: [] }],
      tags: tags.map((name) => ({ name })),
    },
    refResolver: { buildLocalReference: (schema) => String(schema.$id) },
  });

  let document: string | undefined;
  app.get("/openapi.json", { config: { isPublic: true }, schema: { hide: true } }, async (_, reply) => {
    document ??= JSON.stringify(app.swagger());
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
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: "never",
      },
    });
  });
};
