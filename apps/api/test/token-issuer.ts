// An identity provider whose keys and answers a test controls: to sign tokens no honest provider would, and to fail.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, exportSPKI, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from "jose";

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

export interface TokenIssuer {
  issuer: string;
  /** Discovery documents and key sets served so far. */
  readonly requests: { discovery: number; keys: number };
  /** Replaces the key; tokens signed so far lose theirs. */
  rotate(kid: string, alg?: string): Promise<void>;
  /** What the key set answers instead, until undefined. */
  answerKeysWith(answer: { status: number; body: string } | undefined): void;
  publicKeyPem(): Promise<string>;
  /** Claims of a member, changed by `claims` (undefined removes one), signed by the current key unless `key` is given. */
  sign(
    claims?: JWTPayload,
    header?: Partial<JWTHeaderParameters>,
    key?: KeyPair["privateKey"] | Uint8Array,
  ): Promise<string>;
  close(): Promise<void>;
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

export const startTokenIssuer = async (): Promise<TokenIssuer> => {
  let pair: KeyPair;
  let keys: object[] = [];
  let current = { kid: "", alg: "RS256" };
  let keysAnswer: { status: number; body: string } | undefined;
  const requests = { discovery: 0, keys: 0 };

  const rotate = async (kid: string, alg = "RS256"): Promise<void> => {
    pair = await generateKeyPair(alg, { extractable: true });
    current = { kid, alg };
    keys = [{ ...(await exportJWK(pair.publicKey)), kid, alg, use: "sig" }];
  };
  await rotate("key-1");

  const server = createServer((request, response) => {
    const isDiscovery = request.url?.endsWith("/.well-known/openid-configuration");
    requests[isDiscovery ? "discovery" : "keys"] += 1;
    const answer = isDiscovery
      ? { status: 200, body: JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }) }
      : (keysAnswer ?? { status: 200, body: JSON.stringify({ keys }) });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    requests,
    rotate,
    answerKeysWith: (answer) => {
      keysAnswer = answer;
    },
    publicKeyPem: () => exportSPKI(pair.publicKey),
    sign: (claims = {}, header = {}, key = pair.privateKey) => {
      const payload = {
        iss: issuer,
        aud: "task-service",
        sub: "alice-id",
        preferred_username: "alice",
        groups: ["task-service"],
        iat: nowSeconds(),
        exp: nowSeconds() + 300,
        ...claims,
      };
      const present = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
      return new SignJWT(present).setProtectedHeader({ ...current, typ: "at+jwt", ...header }).sign(key);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
