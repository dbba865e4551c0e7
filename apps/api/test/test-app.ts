// One API on a database of its own, listening on a free port, with clients that hold real tokens of the identity provider.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { type Client, createClient, type Problem } from "@task-service/contract";
import type { Registry } from "prom-client";
import { inject } from "vitest";
import { type AgentSync, createAgentSync } from "../src/agents/agent-sync.ts";
import { buildApp, version } from "../src/app.ts";
import { createKeySource, type KeySourceOptions } from "../src/auth/key-set.ts";
import { createDispatchEngine, type DispatchEngine } from "../src/dispatch/dispatch-engine.ts";
import { createEventFeed, type EventFeed, type FeedOptions } from "../src/events/event-feed.ts";
import { createGitHost } from "../src/git/git-host-client.ts";
import { createIssueHost } from "../src/git/git-host-issues.ts";
import { createGitHostRequests, type GitHostOptions } from "../src/git/git-host-requests.ts";
import { createMirror, type Mirror } from "../src/mirror/mirror.ts";
import { readConfig } from "../src/platform/config.ts";
import { type Database, openDatabase, type Sql } from "../src/platform/database.ts";
import { createFailpoints } from "../src/platform/failpoints.ts";
import { createLogger } from "../src/platform/logger.ts";
import { createNotifications } from "../src/platform/notifications.ts";
import { describeApi } from "../src/platform/openapi.ts";
import { type ApiDocument, createAnswerCheck } from "./answer-check.ts";

export interface TestApp {
  /** With the public prefix. */
  baseUrl: string;
  /** Without it. */
  origin: string;
  /** As `executor`, a member. */
  client: Client;
  token: string;
  clientWith(token: string | undefined): Client;
  /** Sends anything, as a member unless it has headers of its own. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The problem document of a refused request, with the checks every one must pass. */
  problem(path: string, init?: RequestInit): Promise<Problem>;
  sql: Sql;
  database: Database;
  databaseUrl: string;
  sync: AgentSync;
  /** Its rounds are for tests to ask for. */
  mirror: Mirror;
  engine: DispatchEngine;
  feed: EventFeed;
  close(): Promise<void>;
}

/** Every answer any test gets is held against the document. */
export const apiDocument = describeApi(version) as unknown as ApiDocument;
export const answerCheck = createAnswerCheck(apiDocument);

/** A token by client credentials: `executor` is a member of the group, `outsider` is not. */
export const fetchToken = async (clientId: "executor" | "outsider"): Promise<string> => {
  const response = await fetch(`${inject("issuer")}/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientId}-secret`).toString("base64")}`,
      // The provider drops idle connections after 5 s, which a busy machine may notice too late.
      connection: "close",
    },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
};

const cloneDatabase = async (): Promise<{ url: string; drop: () => Promise<void> }> => {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const server = openDatabase(inject("postgresUrl"));
  const sql = server.background;
  await sql`create database ${sql(name)} template ${sql(inject("templateDatabase"))} strategy file_copy`;
  return {
    url: Object.assign(new URL(inject("postgresUrl")), { pathname: `/${name}` }).href,
    drop: async () => {
      await sql`drop database ${sql(name)} with (force)`;
      await server.close();
    },
  };
};

export interface TestAppOptions {
  env?: NodeJS.ProcessEnv;
  keySource?: Partial<KeySourceOptions>;
  gitHost?: Partial<GitHostOptions>;
  feed?: Partial<FeedOptions>;
  isDraining?: () => boolean;
  /** Nobody unless a test says so: in production a synchronization begins, which tests want to begin themselves. */
  sourceChanged?: (organizationId: string) => void;
  metrics?: Registry;
  /** Makes it a replica on the database of another, which must be closed after it. */
  beside?: TestApp;
  /** Hears the hints of other replicas and does every second what must not depend on them, as in production. */
  isBeating?: boolean;
}

export const startTestApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const { beside } = options;
  const { url, drop } = beside ? { url: beside.databaseUrl, drop: async () => {} } : await cloneDatabase();
  const config = readConfig({
    DATABASE_URL: url,
    OIDC_ISSUER: inject("issuer"),
    OIDC_AUDIENCE: "task-service",
    OIDC_GROUP: "task-service",
    GIT_URL: inject("gitUrl"),
    GIT_READ_TOKEN: inject("gitReadToken"),
    SIGNING_SECRET: "test-signing-secret",
    INSECURE_DEVELOPMENT: "true",
    LOG_LEVEL: "silent",
    ...options.env,
  });
  const log = createLogger(config.logLevel);
  const database = openDatabase(config.databaseUrl);
  const gitRequests = createGitHostRequests({ ...config.git, ...options.gitHost });
  const sync = createAgentSync({ sql: database.background, gitHost: createGitHost(gitRequests), log });
  const mirror = createMirror({
    sql: database.background,
    host: createIssueHost(gitRequests),
    gitUrl: config.git.url,
    log,
    pauseMs: () => 0,
  });
  const hit = createFailpoints(config.failpoints);
  const notifications = createNotifications({ url: config.databaseDirectUrl, log });
  const { maxLostDispatches } = config;
  const feed = createEventFeed({ sql: database.requests, log, ...options.feed });
  const onHint = feed.nudge;
  const engine = createDispatchEngine({ database, notifications, maxLostDispatches, log, hit, onHint });
  const app = await buildApp({
    config,
    database,
    keySource: createKeySource({ ...config.oidc, log, ...options.keySource }),
    sync,
    sourceChanged: options.sourceChanged ?? (() => {}),
    mirror,
    engine,
    feed,
    log,
    hit,
    metrics: options.metrics,
    isDraining: options.isDraining ?? (() => false),
  });
  if (options.isBeating) engine.start();
  await app.listen({ host: "127.0.0.1", port: 0 });
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const baseUrl = `${origin}/api`;
  const token = await fetchToken("executor");
  const clientWith = (bearer: string | undefined) =>
    createClient({ baseUrl, token: () => bearer, fetch: answerCheck.fetch });
  const request = (path: string, init: RequestInit = {}) =>
    answerCheck.fetch(`${baseUrl}${path}`, {
      ...init,
      headers: init.headers ?? {
        authorization: `Bearer ${token}`,
        ...(init.body !== undefined && { "content-type": "application/json" }),
      },
    });

  return {
    baseUrl,
    origin,
    token,
    client: clientWith(token),
    clientWith,
    request,
    problem: async (path, init) => {
      const response = await request(path, init);
      const problem = (await response.json()) as Problem;
      const type = response.headers.get("content-type");
      if (type !== "application/problem+json" || problem.status !== response.status) {
        throw new Error(`${path} answered ${response.status} ${type}: ${JSON.stringify(problem)}`);
      }
      return problem;
    },
    sql: database.requests,
    database,
    databaseUrl: url,
    sync,
    mirror,
    engine,
    feed,
    close: async () => {
      engine.drain();
      feed.drain();
      await Promise.all([sync.close(), mirror.close(), app.close()]);
      await engine.close();
      await database.close();
      await drop();
    },
  };
};
