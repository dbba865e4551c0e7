// A whole service to be hard on: PostgreSQL, identity provider, git host with fleets, and API replicas as real processes.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, type Sql } from "@task-service/api/src/platform/database.ts";
import { type AgentTypeSummary, type Client, createClient } from "@task-service/contract";
import { startGitHost } from "@task-service/dev/git-host.ts";
import { executorClient, memberGroup } from "@task-service/dev/identity-accounts.ts";
import { audience } from "@task-service/dev/identity-configuration.ts";
import { startIdentityProvider } from "@task-service/dev/identity-provider.ts";
import { type DatabaseServer, startDatabaseServer } from "./database-server.ts";
import { findPorts } from "./port-block.ts";
import { prepareReplica, type Replica } from "./replica-process.ts";

export interface ServiceOptions {
  replicas: number;
  /** Settings of the API beside those it needs, `FAILPOINTS` for example. */
  environment?: NodeJS.ProcessEnv;
  /** Without fsync: quicker, where PostgreSQL is not crashed. */
  isTest?: boolean;
  /** Longer than any run, unless tokens are to end in the middle of one. */
  accessTokenSeconds?: number;
}

export interface Fleet {
  /** Its slug. */
  organization: string;
  agentTypes: AgentTypeSummary[];
}

export interface Service {
  readonly database: DatabaseServer;
  /** For looking at what the service wrote. */
  readonly sql: Sql;
  readonly replicas: readonly Replica[];
  /** The identity provider's. */
  readonly issuer: string;
  /** A port that nothing uses, for a proxy in front. */
  readonly freePort: number;
  /** What the processes said. */
  readonly logDir: string;
  /** As `executor`, a member; `origin` is a replica's or a proxy's. */
  clientAt(origin: string): Client;
  /** Makes an organization whose personas have these slugs. */
  createFleet(organization: string, personas: readonly string[]): Promise<Fleet>;
  /** Ends every process and removes all data; with `keepsLogs` what the processes said stays. */
  stop(options?: { keepsLogs: boolean }): Promise<void>;
}

const host = "127.0.0.1";
const readToken = "conformance-read-token";
const longTokenSeconds = 7200;

/** Resolves when every replica is ready. */
export const startService = async ({
  replicas: count,
  environment,
  isTest = false,
  accessTokenSeconds = longTokenSeconds,
}: ServiceOptions): Promise<Service> => {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  const reposDir = join(folder, "repos");
  const logDir = join(folder, "logs");
  await Promise.all([reposDir, logDir].map((path) => mkdir(path)));
  const port = await findPorts(count + 2);
  const [database, identityProvider, gitHost] = await Promise.all([
    startDatabaseServer({ dataDir: join(folder, "postgres"), port, isTest }),
    startIdentityProvider({
      host,
      port: 0,
      dataDir: join(folder, "identity"),
      redirectOrigins: ["http://localhost"],
      accessTokenSeconds,
    }),
    startGitHost({ host, port: 0, reposDir, readToken }),
  ]);
  const { issuer } = identityProvider;
  const settings = {
    PATH: process.env["PATH"],
    DATABASE_URL: database.url,
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: audience,
    OIDC_GROUP: memberGroup,
    GIT_URL: gitHost.url,
    GIT_READ_TOKEN: readToken,
    SIGNING_SECRET: "conformance-signing-secret",
    INSECURE_DEVELOPMENT: "true",
    RATE_LIMIT_PER_MINUTE: "0",
    LOG_LEVEL: "warn",
    ...environment,
  };
  const replicas = Array.from({ length: count }, (_, index) =>
    prepareReplica(port + 2 + index, settings, join(logDir, `replica-${index + 1}.log`)),
  );
  const connections = openDatabase(database.url);
  const longToken = await fetchToken(issuer);
  const token = () => (accessTokenSeconds < longTokenSeconds ? fetchToken(issuer) : longToken);
  const clientAt = (origin: string): Client => createClient({ baseUrl: `${origin}/api`, token });

  const stop = async ({ keepsLogs } = { keepsLogs: false }): Promise<void> => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await connections.close();
    await Promise.all([database.stop(), identityProvider.stop(), gitHost.stop()]);
    const gone = keepsLogs ? ["postgres", "identity", "repos"].map((name) => join(folder, name)) : [folder];
    await Promise.all(gone.map((path) => rm(path, { recursive: true })));
  };
  try {
    await Promise.all(replicas.map((replica) => replica.start()));
  } catch (error) {
    await stop({ keepsLogs: true });
    throw error;
  }

  return {
    database,
    issuer,
    sql: connections.background,
    replicas,
    freePort: port + 1,
    logDir,
    clientAt,
    createFleet: async (organization, personas) => {
      await writePersonas(join(reposDir, organization, `${organization}-agents`, "personas"), personas);
      const client = clientAt(replicas[0]?.origin ?? "");
      await client.createOrganization({ body: { slug: organization } });
      await client.syncOrganization({ params: { organization } });
      const { items } = await client.listAgentTypes({ query: { organization } });
      return { organization, agentTypes: items };
    },
    stop,
  };
};

const writePersonas = async (folder: string, personas: readonly string[]): Promise<void> => {
  await mkdir(folder, { recursive: true });
  for (const slug of personas) {
    const text = `---\nname: ${slug}\ndescription: Does what a ${slug} does\n---\n## Role\n\nYou are the ${slug}.\n`;
    await writeFile(join(folder, `${slug}.md`), text);
  }
};

const fetchToken = async (issuer: string): Promise<string> => {
  const answer = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${executorClient.id}:${executorClient.secret}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
};
