// The key the development provider signs with: made once and kept, so tokens outlive a restart (D-37).
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import type { JWK } from "oidc-provider";

/** The key in `dataDir`. Its `kid` is its thumbprint: another key never comes under a known name. */
export const signingKey = async (dataDir: string): Promise<JWK> => {
  const path = join(dataDir, "signing-key.json");
  const kept = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (kept) return JSON.parse(kept);
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  const key = { ...jwk, alg: "RS256", use: "sig", kid: await calculateJwkThumbprint(jwk) };
  await mkdir(dataDir, { recursive: true });
  await writeFile(`${path}.new`, JSON.stringify(key), { mode: 0o600 });
  await rename(`${path}.new`, path);
  return key;
};
