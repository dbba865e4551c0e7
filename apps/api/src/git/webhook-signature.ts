// Whether a webhook comes from our git host: HMAC-SHA256 over the exact bytes of its body (D-33).
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

const prefixes: Record<string, string> = {
  "x-gitea-signature": "",
  "x-forgejo-signature": "",
  "x-hub-signature-256": "sha256=",
};

/**
 * The digests that the signature headers hold; undefined unless there is at least one and every one
 * that was sent is well-formed. A host without a secret sends them empty.
 */
export const readSignatures = (headers: IncomingHttpHeaders): Buffer[] | undefined => {
  const sent = Object.entries(prefixes).filter(([name]) => headers[name] !== undefined);
  const digests = sent.map(
    ([name, prefix]) => new RegExp(`^${prefix}([0-9a-f]{64})$`).exec(String(headers[name]))?.[1],
  );
  if (digests.length === 0 || digests.includes(undefined)) return undefined;
  return digests.map((digest) => Buffer.from(digest ?? "", "hex"));
};

/** True if every signature is that of `body`. Takes the same time whichever byte is wrong. */
export const isSignedBy = (secret: string, body: Buffer, signatures: readonly Buffer[]): boolean => {
  const expected = createHmac("sha256", secret).update(body).digest();
  return signatures.filter((signature) => timingSafeEqual(signature, expected)).length === signatures.length;
};
