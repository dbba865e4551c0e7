// What the UI's server is told by the environment (D-36): every problem is found before it starts.

export interface ServerSettings {
  host: string;
  port: number;
  /** Where the browser finds the API: a path of this origin, or a whole address. */
  apiBase: string;
  oidc: { issuer: string; client_id: string; scope: string; resource: string | null };
}

type Environment = Readonly<Record<string, string | undefined>>;

const isWebAddress = (value: string): boolean => {
  const protocol = URL.parse(value)?.protocol;
  return protocol === "http:" || protocol === "https:";
};

/** Reads HOST, PORT, API_BASE and OIDC_*; `problems` has one line for each value that cannot be used. */
export const readSettings = (env: Environment): { settings: ServerSettings; problems: string[] } => {
  const settings: ServerSettings = {
    host: env.HOST || "127.0.0.1",
    port: Number(env.PORT || 8082),
    apiBase: (env.API_BASE || "/api").replace(/\/+$/, ""),
    oidc: {
      issuer: env.OIDC_ISSUER || "",
      client_id: env.OIDC_CLIENT_ID || "task-service-ui",
      scope: env.OIDC_SCOPE || "openid profile offline_access",
      resource: env.OIDC_RESOURCE || null,
    },
  };
  const { port, apiBase, oidc } = settings;
  const problems = [
    !(Number.isInteger(port) && port >= 0 && port <= 65_535) && `PORT must be a port number, not "${env.PORT}"`,
    !(/^(\/[^/]|$)/.test(apiBase) || isWebAddress(apiBase)) &&
      `API_BASE must be a path such as /api or an http(s) address, not "${env.API_BASE}"`,
    !oidc.issuer && "OIDC_ISSUER is missing: the address of the identity provider",
    oidc.issuer && !isWebAddress(oidc.issuer) && `OIDC_ISSUER must be an http(s) address, not "${oidc.issuer}"`,
    !oidc.scope.split(" ").includes("openid") && `OIDC_SCOPE must contain openid, not "${oidc.scope}"`,
  ].filter((problem) => typeof problem === "string" && problem !== "");
  return { settings, problems: problems as string[] };
};
