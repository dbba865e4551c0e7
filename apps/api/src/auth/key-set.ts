// The identity provider's public keys (D-06): found by discovery, kept while the provider is away, read again when a key is unknown.
import { createLocalJWKSet, type JSONWebKeySet, type JWK } from "jose";
import type { Logger } from "../platform/logger.ts";

export type KeyLookup = ReturnType<typeof createLocalJWKSet>;

export interface KeySet {
  lookup: KeyLookup;
  /** Changes whenever the keys do. */
  generation: number;
}

export interface KeySource {
  /** The keys known now, read first if there are none; undefined when the provider cannot be reached. */
  current(): Promise<KeySet | undefined>;
  /** Reads the keys again because one was unknown: at most once in 30 s, failures included. */
  refreshed(): Promise<KeySet | undefined>;
}

export interface KeySourceOptions {
  issuer: string;
  discoveryUrl: string | undefined;
  log: Logger;
  now?: () => number;
}

const timeoutMs = 5000;
const maxBytes = 1024 * 1024;
const cooldownMs = 30_000;
const firstKeysCooldownMs = 15_000;
const maxAgeMs = 10 * 60_000;
const keptWithoutProviderMs = 24 * 3_600_000;
const minRsaModulusBytes = 256;

const readJson = async (url: string): Promise<unknown> => {
  const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`${url} answered more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
};

/** Public signing keys of sufficient strength; never a shared secret. */
const isUsable = (key: JWK): boolean =>
  key.kty !== "oct" &&
  (key.use === undefined || key.use === "sig") &&
  (key.kty !== "RSA" || Buffer.from(key.n ?? "", "base64url").byteLength >= minRsaModulusBytes);

const readKeys = async (issuer: string, discoveryUrl: string): Promise<JWK[]> => {
  const document = (await readJson(discoveryUrl)) as { issuer?: unknown; jwks_uri?: unknown };
  if (document.issuer !== issuer) throw new Error(`${discoveryUrl} speaks for another issuer`);
  if (typeof document.jwks_uri !== "string") throw new Error(`${discoveryUrl} names no jwks_uri`);
  const { keys } = (await readJson(document.jwks_uri)) as Partial<JSONWebKeySet>;
  const usable = Array.isArray(keys) ? keys.filter(isUsable) : [];
  if (usable.length === 0) throw new Error(`${document.jwks_uri} holds no usable key`);
  return usable;
};

export const createKeySource = ({ issuer, discoveryUrl, log, now = Date.now }: KeySourceOptions): KeySource => {
  const discovery = discoveryUrl ?? `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  let keys: KeySet | undefined;
  let canonical = "";
  let readAt = 0;
  let triedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    triedAt = now();
    try {
      const usable = await readKeys(issuer, discovery);
      readAt = now();
      const text = JSON.stringify(usable);
      if (text === canonical) return;
      canonical = text;
      keys = { lookup: createLocalJWKSet({ keys: usable }), generation: (keys?.generation ?? 0) + 1 };
    } catch (error) {
      log.warn({ err: error }, "the identity provider's keys cannot be read");
    }
  };
  const readOnce = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const known = (): KeySet | undefined => (now() - readAt <= keptWithoutProviderMs ? keys : undefined);

  return {
    current: async () => {
      if (!known()) {
        if (reading || now() - triedAt > firstKeysCooldownMs) await readOnce();
      } else if (now() - readAt > maxAgeMs && now() - triedAt > cooldownMs) {
        void readOnce();
      }
      return known();
    },
    refreshed: async () => {
      if (reading || now() - triedAt > cooldownMs) await readOnce();
      return known();
    },
  };
};
