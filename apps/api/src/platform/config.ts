// The settings of the API (D-36): read from the environment once, every problem reported at once.
import { readFileSync } from "node:fs";

export interface Config {
  host: string;
  port: number;
  /** 0: no metrics. */
  metricsPort: number;
  databaseUrl: string;
  /** Past any pooler: LISTEN needs a session of its own. */
  databaseDirectUrl: string;
  oidc: {
    issuer: string;
    audience: string;
    group: string;
    /** A dotted path or a JSON pointer. */
    groupsClaim: string;
    groupsSeparator: string | undefined;
    /** Fetched instead of the issuer's own discovery document; `iss` must still match the issuer. */
    discoveryUrl: string | undefined;
    isCachingTokens: boolean;
  };
  git: {
    /** Without a trailing slash. */
    url: string;
    apiUrl: string;
    readToken: string;
    signingSecret: string;
  };
  maxLostDispatches: number;
  /** The longest way from a root to a follow-up. */
  maxTaskDepth: number;
  /** The root itself among them. */
  maxTasksPerRoot: number;
  eventRetentionDays: number;
  /** From the beginning of one look at all agents repositories to that of the next. */
  syncIntervalSeconds: number;
  /** The same for the issues and pull requests that tasks are linked to. */
  mirrorIntervalSeconds: number;
  /** Per subject and replica; 0 switches the limit off. */
  rateLimitPerMinute: number;
  trustedProxies: string[];
  logLevel: string;
  /** Faults on purpose, for tests; development only. */
  failpoints: string | undefined;
}

/** What is wrong with the environment, one sentence per setting. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

const minSecretBytes = 24;
const publishedValues = new Set(["development-signing-secret", "executor-secret", "outsider-secret"]);
const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

const without = (url: string, suffix: string): string => (url.endsWith(suffix) ? url.slice(0, -suffix.length) : url);

/**
 * Reads the settings. A secret may also stand in the file that `<NAME>_FILE` names.
 * Throws {@link ConfigError} naming every setting that is missing or not usable.
 */
export const readConfig = (env: NodeJS.ProcessEnv): Config => {
  const problems: string[] = [];

  const optional = (name: string): string | undefined => {
    const file = env[`${name}_FILE`];
    if (!file) return env[name] || undefined;
    try {
      return readFileSync(file, "utf8").trim() || undefined;
    } catch {
      problems.push(`${name}_FILE names a file that cannot be read`);
      return undefined;
    }
  };
  const required = (name: string): string => {
    const value = optional(name);
    if (value === undefined && !env[`${name}_FILE`]) problems.push(`${name} is missing`);
    return value ?? "";
  };
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = optional(name);
    if (value === undefined) return fallback;
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    problems.push(`${name} must be an integer from ${min} to ${max}`);
    return fallback;
  };
  const url = (name: string, value: string | undefined, protocols: readonly string[]): string => {
    if (!value) return "";
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    problems.push(`${name} must be a URL that begins with ${protocols.map((one) => `${one}//`).join(" or ")}`);
    return "";
  };
  const web = ["https:", "http:"];

  const isDevelopment = env.INSECURE_DEVELOPMENT === "true";
  const gitUrl = without(url("GIT_URL", required("GIT_URL"), web), "/");
  const logLevel = optional("LOG_LEVEL") ?? "info";
  if (!logLevels.includes(logLevel)) problems.push(`LOG_LEVEL must be one of ${logLevels.join(", ")}`);

  const postgres = ["postgres:", "postgresql:"];
  const databaseUrl = url("DATABASE_URL", required("DATABASE_URL"), postgres);
  const config: Config = {
    host: optional("HOST") ?? (isDevelopment ? "127.0.0.1" : "0.0.0.0"),
    port: integer("PORT", 8081, 0, 65_535),
    metricsPort: integer("METRICS_PORT", 0, 0, 65_535),
    databaseUrl,
    databaseDirectUrl: url("DATABASE_DIRECT_URL", optional("DATABASE_DIRECT_URL"), postgres) || databaseUrl,
    oidc: {
      issuer: url("OIDC_ISSUER", required("OIDC_ISSUER"), web),
      audience: required("OIDC_AUDIENCE"),
      group: required("OIDC_GROUP"),
      groupsClaim: optional("OIDC_GROUPS_CLAIM") ?? "groups",
      groupsSeparator: optional("OIDC_GROUPS_SEPARATOR"),
      discoveryUrl: url("OIDC_DISCOVERY_URL", optional("OIDC_DISCOVERY_URL"), web) || undefined,
      isCachingTokens: integer("TOKEN_CACHE", 1, 0, 1) === 1,
    },
    git: {
      url: gitUrl,
      apiUrl: without(url("GIT_API_URL", optional("GIT_API_URL"), web), "/") || `${gitUrl}/api/v1`,
      readToken: required("GIT_READ_TOKEN"),
      signingSecret: required("SIGNING_SECRET"),
    },
    maxLostDispatches: integer("MAX_LOST_DISPATCHES", 5, 1, 1000),
    maxTaskDepth: integer("MAX_TASK_DEPTH", 32, 0, 10_000),
    maxTasksPerRoot: integer("MAX_TASKS_PER_ROOT", 1000, 1, 1_000_000),
    syncIntervalSeconds: integer("SYNC_INTERVAL_SECONDS", 300, 1, 86_400),
    mirrorIntervalSeconds: integer("MIRROR_INTERVAL_SECONDS", 300, 1, 86_400),
    eventRetentionDays: integer("EVENT_RETENTION_DAYS", 365, 1, 36_500),
    rateLimitPerMinute: integer("RATE_LIMIT_PER_MINUTE", 60_000, 0, 100_000_000),
    trustedProxies: (optional("TRUSTED_PROXIES") ?? "").split(",").flatMap((one) => one.trim() || []),
    logLevel,
    failpoints: isDevelopment ? optional("FAILPOINTS") : undefined,
  };

  if (!isDevelopment) {
    const { signingSecret } = config.git;
    if (signingSecret && Buffer.byteLength(signingSecret) < minSecretBytes) {
      problems.push(`SIGNING_SECRET must have at least ${minSecretBytes} bytes`);
    }
    if (publishedValues.has(signingSecret)) problems.push("SIGNING_SECRET is a published development value");
    if (config.oidc.issuer.startsWith("http:")) problems.push("OIDC_ISSUER must begin with https://");
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
};
