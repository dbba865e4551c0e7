// Decides whether an access token is genuine, for us, in time, and of a member (D-06, D-07). Never our own cryptography: jose's.
import { hash } from "node:crypto";
import type { Actor } from "@task-service/contract";
import { type CompactJWSHeaderParameters, compactVerify, errors, type JWTPayload } from "jose";
import type { Config } from "../platform/config.ts";
import { RequestProblem } from "../platform/problems.ts";
import { groupsIn, hasOverage } from "./group-claim.ts";
import type { KeySet, KeySource } from "./key-set.ts";

export interface Caller {
  actor: Actor;
  /** When the token expires, in seconds since 1970. */
  expiresAt: number;
}

const algorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];
const maxRemembered = 10_000;
const maxTokenLength = 16 * 1024;
const toleranceSeconds = 30;

const refused = (detail: string): RequestProblem =>
  new RequestProblem("unauthenticated", detail, {
    headers: { "WWW-Authenticate": `Bearer error="invalid_token", error_description="${detail}"` },
  });

interface Signed {
  readonly header: CompactJWSHeaderParameters;
  readonly payload: JWTPayload;
}

/** Not empty, and such that PostgreSQL can store it. */
const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && !value.includes("\0") && value.isWellFormed();
const isSeconds = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value > 0;

const checkTimes = ({ exp, nbf, iat }: JWTPayload, nowSeconds: number): number => {
  if (!isSeconds(exp)) throw refused("The token does not say when it expires");
  if (exp + toleranceSeconds <= nowSeconds) throw refused("The token has expired");
  for (const start of [nbf, iat]) {
    if (start !== undefined && !isSeconds(start)) throw refused("The token has a time that is no number");
    if (start !== undefined && start - toleranceSeconds > nowSeconds) throw refused("The token is not valid yet");
  }
  return exp;
};

// ID tokens and refresh tokens say the same header `typ` at some providers; these claims are theirs alone.
const isAccessToken = ({ typ }: CompactJWSHeaderParameters, payload: JWTPayload): boolean =>
  /^(?:application\/)?(?:at\+jwt|jwt)$/i.test(typ ?? "") &&
  !["nonce", "at_hash", "c_hash"].some((claim) => claim in payload) &&
  !["ID", "Refresh"].includes(String(payload.typ)) &&
  payload.token_use !== "id";

const nameOf = (payload: JWTPayload, sub: string): string =>
  [payload.preferred_username, payload.name, payload.client_id, payload.azp].find(isText) ?? sub;

export const createTokenVerifier = (
  { issuer, audience, group, groupsClaim, groupsSeparator, isCachingTokens }: Config["oidc"],
  keySource: KeySource,
  now: () => number = Date.now,
) => {
  // Successes only; the same bytes under the same keys need no second computation.
  const remembered = new Map<string, Signed>();
  let rememberedGeneration = 0;

  const verify = async (token: string, keys: KeySet): Promise<Signed> => {
    const { protectedHeader, payload } = await compactVerify(token, keys.lookup, { algorithms });
    const claims: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
    if (typeof claims !== "object" || claims === null || Array.isArray(claims))
      throw refused("The token holds no claims");
    return { header: protectedHeader, payload: claims as JWTPayload };
  };

  const verifyWithRefresh = async (token: string, keys: KeySet): Promise<Signed> => {
    try {
      return await verify(token, keys);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const refreshed = await keySource.refreshed();
      if (!refreshed || refreshed.generation === keys.generation) throw error;
      return verify(token, refreshed);
    }
  };

  const signed = async (token: string): Promise<Signed> => {
    const keys = await keySource.current();
    if (!keys) {
      throw new RequestProblem(
        "identity_provider_unavailable",
        "The identity provider cannot be reached to check the token.",
        {
          headers: { "Retry-After": "5" },
        },
      );
    }
    if (rememberedGeneration !== keys.generation) {
      remembered.clear();
      rememberedGeneration = keys.generation;
    }
    const id = hash("sha256", token, "base64");
    const known = remembered.get(id);
    if (known) return known;
    const fresh = await verifyWithRefresh(token, keys);
    if (isCachingTokens && rememberedGeneration === keys.generation) {
      const [oldest] = remembered.keys();
      if (remembered.size >= maxRemembered && oldest !== undefined) remembered.delete(oldest);
      remembered.set(id, fresh);
    }
    return fresh;
  };

  const checkMembership = (payload: JWTPayload): void => {
    if (groupsIn(payload, groupsClaim, groupsSeparator).includes(group)) return;
    const detail = hasOverage(payload)
      ? `The token names no groups because there are too many: have the provider send only groups assigned to this application, or use an app role for «${group}».`
      : `You are not a member of «${group}». Ask whoever manages that group at your identity provider to add you, then sign in again.`;
    throw new RequestProblem("not_a_member", detail);
  };

  /**
   * Resolves to who the token speaks for. Rejects with `unauthenticated`, `not_a_member`
   * or `identity_provider_unavailable`. Every claim is checked every time.
   */
  return async (token: string): Promise<Caller> => {
    if (token.length > maxTokenLength) throw refused("The token is too long");
    const { header, payload } = await signed(token).catch((error: unknown) => {
      throw error instanceof RequestProblem ? error : refused("The token is not one this service accepts");
    });
    if (!isAccessToken(header, payload)) throw refused("The token is not an access token");
    if (payload.iss !== issuer) throw refused("The token is from another issuer");
    if (![payload.aud].flat().includes(audience)) throw refused("The token is for another audience");
    const expiresAt = checkTimes(payload, now() / 1000);
    const { sub } = payload;
    if (!isText(sub)) throw refused("The token does not say who it is for");
    checkMembership(payload);
    return { actor: { sub, name: nameOf(payload, sub) }, expiresAt };
  };
};

export type TokenVerifier = ReturnType<typeof createTokenVerifier>;
