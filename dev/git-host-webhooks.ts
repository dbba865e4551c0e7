// Delivers webhooks as Gitea and Forgejo do: signatures, headers, one attempt.
import { createHmac, randomUUID } from "node:crypto";
import { request } from "node:http";
import { type Dialect, manners } from "./git-host-dialect.ts";
import type { Payload } from "./git-host-payloads.ts";

export interface WebhookTarget {
  /** `http:` only. */
  url: string;
  secret: string;
}

/** The exact bytes to sign and send: two spaces, no line break at the end. */
const bytesOf = (body: object): Buffer => Buffer.from(JSON.stringify(body, null, 2));

const headersOf = (
  { event, type }: Payload,
  body: Buffer,
  secret: string,
  dialect: Dialect,
): Record<string, string> => {
  const { headerPrefixes, namesTargetType } = manners[dialect];
  const delivery = randomUUID();
  const hmac = (algorithm: string): string => createHmac(algorithm, secret).update(body).digest("hex");
  const signature = hmac("sha256");
  // A push comes from the organization's webhook, the others from the repository's: as in the samples.
  const target = event === "push" ? "organization" : "repository";
  const named = (prefix: string): Record<string, string> => ({
    [`${prefix}-Delivery`]: delivery,
    [`${prefix}-Event`]: event,
    [`${prefix}-Event-Type`]: type,
  });
  const signed = ["X-Gitea", "X-Gogs", ...headerPrefixes];
  const typed = namesTargetType ? ["X-Gitea", "X-GitHub"] : [];
  return Object.assign(
    {
      "User-Agent": "Go-http-client/1.1",
      "Content-Type": "application/json",
      "Content-Length": String(body.length),
      "Accept-Encoding": "gzip",
      "X-Hub-Signature": `sha1=${hmac("sha1")}`,
      "X-Hub-Signature-256": `sha256=${signature}`,
    },
    ...signed.map((prefix) => ({ ...named(prefix), [`${prefix}-Signature`]: signature })),
    named("X-GitHub"),
    ...typed.map((prefix) => ({ [`${prefix}-Hook-Installation-Target-Type`]: target })),
  );
};

export interface Deliveries {
  /** Sends it once all before it are done with. */
  add(payload: Payload, dialect: Dialect): void;
  stop(): void;
}

/** One after the other, in order, each tried once. `complain` hears of those not answered with 2xx within 5 s. */
export const createDeliveries = ({ url, secret }: WebhookTarget, complain: (message: string) => void): Deliveries => {
  const stopping = new AbortController();
  let last: Promise<void> = Promise.resolve();
  const deliver = async (payload: Payload, dialect: Dialect): Promise<void> => {
    const body = bytesOf(payload.body);
    const headers = headersOf(payload, body, secret, dialect);
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(5000)]);
    const status = await post(url, { headers, body, signal });
    if (status < 200 || status > 299) throw new Error(`${url} answered ${status}`);
  };
  return {
    add: (payload, dialect) => {
      last = last
        .then(() => deliver(payload, dialect))
        .catch((error: Error) => {
          if (!stopping.signal.aborted) complain(`git host: webhook not delivered: ${error.message}`);
        });
    },
    stop: () => stopping.abort(),
  };
};

interface Post {
  headers: Record<string, string>;
  body: Buffer;
  signal: AbortSignal;
}

/** With no header but those given and what HTTP needs, as `fetch` would not. Resolves with the status. */
const post = (url: string, { headers, body, signal }: Post): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers, signal, agent: false }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0)).on("error", reject);
    });
    sent.on("error", reject).end(body);
  });
