// The UI's web server: the built files, the page with its policy, and the settings the page asks for.
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyServerOptions } from "fastify";
import { contentSecurityPolicy, securityHeaders } from "./server-headers.ts";
import type { ServerSettings } from "./server-settings.ts";

const noncePlaceholder = "__CSP_NONCE__";
const hashedFiles = `${path.sep}assets${path.sep}`;

/** Serves `dist`, the folder `vite build` wrote. */
export const buildServer = (
  settings: ServerSettings,
  dist: string,
  logger: FastifyServerOptions["logger"] = false,
): FastifyInstance => {
  const app = Fastify({ logger, routerOptions: { maxParamLength: 8192 }, forceCloseConnections: "idle" });

  app.addHook("onRequest", async (_request, reply) => {
    reply.headers(securityHeaders);
  });

  app.get("/healthz", async () => ({ status: "ok" }));

  app.get("/config.json", async (_request, reply) => {
    reply.header("cache-control", "no-store");
    return { api_base: settings.apiBase, oidc: settings.oidc };
  });

  app.register(fastifyStatic, {
    root: dist,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      // Names under assets/ change with their content; the others must be asked for again.
      const isHashed = file.includes(hashedFiles);
      reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
    // The page is only ever sent with a nonce and its policy, by `sendPage`.
    allowedPath: (name) => name !== "/index.html",
  });

  const sendPage = async (reply: FastifyReply) => {
    // Read each time: a new build under a running server names other files.
    const page = await readFile(path.join(dist, "index.html"), "utf8");
    const nonce = randomBytes(16).toString("base64");
    return reply
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-store")
      .header("content-security-policy", contentSecurityPolicy(nonce, settings))
      .send(page.replaceAll(noncePlaceholder, nonce));
  };
  app.get("/", (_request, reply) => sendPage(reply));

  // Every other address the browser navigates to is a screen of the application.
  app.setNotFoundHandler(({ method, headers }, reply) => {
    const isNavigation = (method === "GET" || method === "HEAD") && headers.accept?.includes("text/html");
    if (isNavigation) return sendPage(reply);
    return reply.code(404).type("text/plain; charset=utf-8").send("Not found\n");
  });
  return app;
};
