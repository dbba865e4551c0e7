// A token endpoint with discovery: counts its tokens, and can refuse or be away.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export const createFakeIdentityProvider = async ({ expiresInSeconds = 300 as number | undefined } = {}) => {
  const requests: { authorization: string | undefined; form: Record<string, string> }[] = [];
  const control = { isAway: false, expiresInSeconds };

  const server = createServer(async (request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/.well-known/openid-configuration") return send(200, { token_endpoint: `${issuer}/token` });
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const { authorization } = request.headers;
    requests.push({ authorization, form });
    if (control.isAway) return send(503, { error: "temporarily_unavailable" });
    if (authorization !== `Basic ${btoa("executor:executor-secret")}`) return send(401, { error: "invalid_client" });
    return send(200, { access_token: `token-${requests.length}`, expires_in: control.expiresInSeconds });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    settings: { issuer, clientId: "executor", clientSecret: "executor-secret" },
    requests,
    control,
    close: async () => {
      server.close().closeAllConnections();
      await once(server, "close");
    },
  };
};
