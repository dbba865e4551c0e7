// Requests with an Idempotency-Key, and what of their answers tells whether something was created.
import type { Problem } from "@task-service/contract";
import type { TestApp } from "./test-app.ts";

export interface KeyedAnswer {
  status: number;
  isReplayed: boolean;
  location: string | null;
  etag: string | null;
  /** The resource, or the problem. */
  body: { id?: string; items?: { id: string }[] } & Partial<Problem>;
}

/** Sends `body` with the key, as `token` says. */
export const postKeyed = async (
  app: Pick<TestApp, "request" | "token">,
  path: string,
  body: unknown,
  key: string,
  token = app.token,
): Promise<KeyedAnswer> => {
  const response = await app.request(path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": key },
  });
  return {
    status: response.status,
    isReplayed: response.headers.get("idempotency-replayed") === "true",
    location: response.headers.get("location"),
    etag: response.headers.get("etag"),
    body: (await response.json()) as KeyedAnswer["body"],
  };
};
