// Who the development provider knows: people with a password, and the clients they and programs sign in through (D-37).
import type { ClientMetadata } from "oidc-provider";

/** The group whose members may use the service. */
export const memberGroup = "task-service";

export interface Account {
  /** Also the subject and the password. */
  username: string;
  name: string;
  groups: string[];
  /** How long an access token of theirs is good for, where it is not as long as everybody's. */
  accessTokenSeconds?: number;
}

export const accounts: Account[] = [
  { username: "alice", name: "Alice Archer", groups: [memberGroup] },
  { username: "bob", name: "Bob Baker", groups: [memberGroup] },
  // To see what a screen does when tokens run out; the API goes on accepting one for half a minute.
  { username: "ebba", name: "Ebba Ek", groups: [memberGroup], accessTokenSeconds: 5 },
  { username: "mallory", name: "Mallory Moss", groups: [] },
];

export const executorClient = { id: "executor", secret: "executor-secret" };
const outsiderClient = { id: "outsider", secret: "outsider-secret" };

/** The groups of a client that acts for itself. */
export const groupsOfClient = (clientId: string): string[] => (clientId === executorClient.id ? [memberGroup] : []);

const machine = ({ id, secret }: { id: string; secret: string }): ClientMetadata => ({
  client_id: id,
  client_secret: secret,
  grant_types: ["client_credentials"],
  redirect_uris: [],
  response_types: [],
});

const person: Partial<ClientMetadata> = { token_endpoint_auth_method: "none", response_types: ["code"] };

/** `redirectOrigins` are the origins the UI is reached at. */
export const clients = (redirectOrigins: string[]): ClientMetadata[] => [
  {
    ...person,
    client_id: "task-service-ui",
    client_name: "Task Service",
    grant_types: ["authorization_code", "refresh_token"],
    redirect_uris: redirectOrigins.map((origin) => `${origin}/signed-in`),
    post_logout_redirect_uris: redirectOrigins.map((origin) => `${origin}/`),
  },
  {
    ...person,
    client_id: "task-service-cli",
    client_name: "Task Service command line",
    // Native: a loopback redirect matches whatever its port is (RFC 8252, section 7.3).
    application_type: "native",
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    redirect_uris: ["127.0.0.1", "[::1]", "localhost"].map((host) => `http://${host}/callback`),
  },
  machine(executorClient),
  machine(outsiderClient),
];
