// Signing in with the browser of this machine: authorization code with PKCE, back to a loopback address (RFC 8252, RFC 7636).

import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { SignInRequest } from "./device-login.ts";
import { CommandFailure, exitCodes, notSignedIn } from "./exit-codes.ts";
import { GrantRefusal, type Provider, requestTokens, type TokenAnswer } from "./provider-requests.ts";
import { shortened } from "./shortened-text.ts";
import { surroundings } from "./surroundings.ts";
import { say } from "./terminal.ts";

const random = (): string => randomBytes(32).toString("base64url");

const page = (sentence: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Task Service</title><p style="font: 1.2em system-ui; margin: 4em">${sentence}</p>`;

/** Best effort: the address is printed as well. */
const openBrowser = (url: string): void => {
  const opener = surroundings().env["BROWSER"] || (process.platform === "darwin" ? "open" : "xdg-open");
  const child = spawn(opener, [url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
};

/** What the provider sent back with the browser; whatever else is asked for gets 404. */
const receive = async (state: string) => {
  const answer = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = URL.parse(request.url ?? "/", "http://127.0.0.1") ?? new URL("http://127.0.0.1");
    const isAnswer = pathname === "/callback" && searchParams.get("state") === state;
    const sentence = searchParams.has("code")
      ? "You are signed in. This page can be closed."
      : "That did not work. The terminal says more.";
    response.writeHead(isAnswer ? 200 : 404, { "content-type": "text/html; charset=utf-8", connection: "close" });
    response.end(page(isAnswer ? sentence : "There is nothing here."), () => isAnswer && answer.resolve(searchParams));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = (): void => void server.close().closeAllConnections();
  return { redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, answer, close };
};

const codeIn = (answer: URLSearchParams, { issuer }: Provider): string => {
  // RFC 9207: an answer of another provider is not for us.
  const from = answer.get("iss");
  if (from !== null && from !== issuer)
    throw notSignedIn(`The answer came from ${shortened(from)}, not from ${issuer}.`);
  const error = answer.get("error");
  if (error) throw new GrantRefusal(error, answer.get("error_description") ?? undefined);
  return answer.get("code") ?? "";
};

/**
 * Prints where to sign in, opens it if `opensBrowser`, and resolves when the browser has come back; waits at most
 * `waitMs`. Rejects with {@link GrantRefusal} or a failure.
 */
export const browserLogin = async (
  provider: Provider,
  { clientId: client_id, scope, resource }: SignInRequest,
  { opensBrowser, waitMs = 600_000 }: { opensBrowser: boolean; waitMs?: number },
): Promise<TokenAnswer> => {
  const endpoint = provider.authorization_endpoint;
  if (!endpoint) {
    throw new CommandFailure(exitCodes.configuration, "The identity provider has no sign-in page: try --device.");
  }
  const [state, verifier] = [random(), random()];
  const { redirectUri: redirect_uri, answer, close } = await receive(state);
  const url = new URL(endpoint);
  const query = { response_type: "code", client_id, redirect_uri, scope, state };
  for (const [name, value] of Object.entries({ ...query, ...(resource && { resource }) }))
    url.searchParams.set(name, value);
  url.searchParams.set("code_challenge", createHash("sha256").update(verifier).digest("base64url"));
  url.searchParams.set("code_challenge_method", "S256");
  say(`Sign in at ${url.href}`);
  if (opensBrowser) openBrowser(url.href);
  const timer = setTimeout(() => answer.reject(notSignedIn("Nobody signed in within ten minutes.")), waitMs);
  try {
    const code = codeIn(await answer.promise, provider);
    const grant_type = "authorization_code";
    return await requestTokens(provider, {
      grant_type,
      code,
      redirect_uri,
      client_id,
      code_verifier: verifier,
      resource,
    });
  } finally {
    clearTimeout(timer);
    close();
  }
};
