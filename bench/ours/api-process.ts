// The API as an operator runs it: its own process, log to nowhere, limits that do not bind, tokens from a real provider.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { memberGroup } from "../../dev/identity-accounts.ts";
import { audience } from "../../dev/identity-configuration.ts";
import { requireFreePort } from "../../dev/port-check.ts";
import { dieWithParent } from "../../dev/unit-process.ts";
import { endProcess } from "../harness/child-process.ts";

export interface ApiProcess {
  readonly port: number;
  /** What the process holds in memory now, in MB; Linux only. */
  residentMb(): Promise<number>;
  stop(): Promise<void>;
}

const host = "127.0.0.1";
const program = join(import.meta.dirname, "../../apps/api/src/main.ts");

const environment = (databaseUrl: string, issuer: string, port: number): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: "production",
  HOST: host,
  PORT: String(port),
  DATABASE_URL: databaseUrl,
  OIDC_ISSUER: issuer,
  OIDC_AUDIENCE: audience,
  OIDC_GROUP: memberGroup,
  // Nobody listens there: personas come with the database.
  GIT_URL: "http://127.0.0.1:9",
  GIT_READ_TOKEN: "development-read-token",
  SIGNING_SECRET: "development-signing-secret",
  INSECURE_DEVELOPMENT: "true",
  RATE_LIMIT_PER_MINUTE: "10000000",
  LOG_LEVEL: "info",
});

/** Migrates its database and resolves when it is ready. */
export const startApi = async (databaseUrl: string, issuer: string): Promise<ApiProcess> => {
  const port = await requireFreePort(0, host);
  const [file = "", ...args] = dieWithParent("TERM", [process.execPath, program]);
  const env = environment(databaseUrl, issuer, port);
  const child = spawn(file, args, { env, detached: true, stdio: ["ignore", "ignore", "inherit"] });
  const isReady = () =>
    fetch(`http://${host}:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The API ended with ${child.exitCode}.`);
    await delay(50);
  }
  return {
    port,
    residentMb: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
    },
    stop: () => endProcess(child),
  };
};
