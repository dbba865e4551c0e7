// A client of the service that always has a good token, from settings or from credentials.
import { type Client, createClient } from "@task-service/contract";
import { type Credentials, createFileCredentials } from "./credentials.ts";
import type { CredentialsSettings } from "./executor-settings.ts";
import { createGrantedCredentials } from "./granted-credentials.ts";
import { createRenewingFetch } from "./renewing-fetch.ts";

/** Asks for no token yet. Close what it resolves to. */
export const openCredentials = async (settings: CredentialsSettings): Promise<Credentials> =>
  "tokenFile" in settings ? createFileCredentials(settings.tokenFile) : createGrantedCredentials(settings);

/** The token is asked for with each request, and renewed once when the service refuses it. */
export const connect = (serviceUrl: string, credentials: Pick<Credentials, "token" | "renew">): Client =>
  createClient({ baseUrl: serviceUrl, token: credentials.token, fetch: createRenewingFetch(credentials) });
