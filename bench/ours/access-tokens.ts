// Access tokens as executors get them: client credentials, RS256, a different token for each.
import { executorClient } from "../../dev/identity-accounts.ts";

/** So many tokens of the client `executor`. */
export const takeTokens = (issuer: string, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => takeToken(issuer)));

const takeToken = async (issuer: string): Promise<string> => {
  const answer = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${executorClient.id}:${executorClient.secret}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
};
