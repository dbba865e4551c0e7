// What all questions share: one PostgreSQL, one identity provider, databases to measure on, and the end of it all.
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "../../dev/embedded-postgres.ts";
import { startIdentityProvider } from "../../dev/identity-provider.ts";
import { takeTokens } from "../ours/access-tokens.ts";
import { type ApiProcess, startApi } from "../ours/api-process.ts";
import { insertFleet } from "../ours/fleet.ts";
import { fillQueue, tidyQueue } from "../ours/queue-filling.ts";
import type { Sizes } from "./sizes.ts";

/** A queue of ours: its API and a connection to its database. */
export interface Queue {
  readonly api: ApiProcess;
  readonly client: pg.Client;
  /** Of its database. */
  readonly url: string;
}

export interface Place {
  readonly sizes: Sizes;
  readonly dataDir: string;
  readonly tokens: readonly string[];
  /** "PostgreSQL 18…" */
  readonly postgresVersion: string;
  /** Where filled data stays for the next run; undefined if nothing is to stay. */
  readonly keptDir: string | undefined;
  /** Of many requests only those whose address holds this are asked for. */
  readonly match: string;
  say(text: string): void;
  /** Something that must hold does not: measuring goes on, but the bench will end with exit code 1. */
  fail(text: string): void;
  /** Figures behind those of the table, for the file of results. */
  keepDetails(details: readonly object[]): void;
  /** To be done when the question is answered, or the bench interrupted, last first. */
  defer(work: () => Promise<unknown>): void;
  /** Writes out what filling left behind, so that no measurement does. */
  checkpoint(): Promise<void>;
  /** A connection that ends with the question. */
  connect(url: string): Promise<pg.Client>;
  /** An empty database of a peer; answers its address. */
  createDatabase(name: string): Promise<string>;
  /** The API on this database. */
  startApi(url: string): Promise<ApiProcess>;
  /** The API on a database of its own, with so many tasks of five agent types waiting. */
  startQueue(waiting: number): Promise<Queue>;
}

/** Durable, as PostgreSQL is by default; sized for the machine, the same for all sides. */
export const postgresSettings = {
  shared_buffers: "2GB",
  max_wal_size: "16GB",
  checkpoint_timeout: "30min",
  max_connections: "300",
  fsync: "on",
  synchronous_commit: "on",
};

const executors = 50;

export type PlaceOptions = Pick<
  Place,
  "sizes" | "dataDir" | "keptDir" | "match" | "say" | "fail" | "keepDetails" | "defer"
>;

/** Starts the servers; what is deferred before the first question ends with the bench. */
export const openPlace = async (options: PlaceOptions): Promise<Place> => {
  const { dataDir, say, defer } = options;
  const postgres = await startPostgres({ dataDir: join(dataDir, "postgres"), port: 0, settings: postgresSettings });
  defer(postgres.stop);
  const provider = await startIdentityProvider({
    host: "127.0.0.1",
    port: 0,
    dataDir: join(dataDir, "identity-provider"),
    redirectOrigins: [],
    accessTokenSeconds: 7200,
  });
  defer(provider.stop);
  const admin = new pg.Pool({ connectionString: postgres.url, max: 1 });
  defer(() => admin.end());
  const { rows } = await admin.query<{ version: string }>("select split_part(version(), ' on ', 1) as version");
  const urlOf = (database: string): string => postgres.url.replace(/[^/]*$/, database);

  const createDatabase = async (name: string, template = "template1"): Promise<string> => {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`create database ${name} template ${template} strategy file_copy`);
    place.defer(() => admin.query(`drop database if exists ${name} with (force)`));
    return urlOf(name);
  };

  const templates = new Map<number, Promise<string>>();
  /** Made by the API's own migrations, then filled; copied from then on. */
  const createTemplate = async (waiting: number): Promise<string> => {
    const name = `ours_${waiting}`;
    say(`queueing ${waiting} tasks of ours`);
    await admin.query(`create database ${name}`);
    await (await startApi(urlOf(name), provider.issuer)).stop();
    const client = await connect(urlOf(name));
    await insertFleet(client);
    await fillQueue(client, { count: waiting });
    await tidyQueue(client);
    await client.end();
    return name;
  };
  const templateOf = (waiting: number): Promise<string> => {
    const template = templates.get(waiting) ?? createTemplate(waiting);
    templates.set(waiting, template);
    return template;
  };

  let copies = 0;
  const place: Place = {
    ...options,
    tokens: await takeTokens(provider.issuer, executors),
    postgresVersion: rows[0]?.version ?? "",
    checkpoint: async () => {
      await admin.query("checkpoint");
    },
    connect: async (url) => {
      const client = await connect(url);
      defer(() => client.end());
      return client;
    },
    createDatabase,
    startApi: async (url) => {
      const api = await startApi(url, provider.issuer);
      defer(api.stop);
      return api;
    },
    startQueue: async (waiting) => {
      const template = await templateOf(waiting);
      copies += 1;
      const url = await createDatabase(`ours_copy_${copies}`, template);
      return { api: await place.startApi(url), url, client: await place.connect(url) };
    },
  };
  return place;
};

const connect = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString });
  // When the bench is interrupted the server goes first; whoever waits for a query learns of it.
  client.on("error", () => {});
  await client.connect();
  return client;
};
