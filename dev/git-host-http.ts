// HTTP of the development git host: an answer before it is sent, and the parts of an address.
import type { ServerResponse } from "node:http";

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Does nothing if the other side is gone or an answer has begun. */
export const sendAnswer = (response: ServerResponse, { status, headers, body }: HttpAnswer): void => {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) }).end(body);
};

export const plainAnswer = (status: number, body = ""): HttpAnswer => ({
  status,
  headers: { "Content-Type": "text/plain" },
  body,
});

export const htmlAnswer = (status: number, body: string): HttpAnswer => ({
  status,
  headers: { "Content-Type": "text/html; charset=utf-8" },
  body,
});

/** As the API writes JSON: compact, with a line break at the end. */
export const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}): HttpAnswer => ({
  status,
  headers: {
    "Content-Type": "application/json;charset=utf-8",
    "Cache-Control": "max-age=0, private, must-revalidate",
    ...headers,
  },
  body: `${JSON.stringify(body)}\n`,
});

/** Decoded parts; a trailing slash means nothing, an encoded one divides. Undefined for a malformed path. */
export const segmentsOf = (path: string): string[] | undefined => {
  try {
    return decodeURIComponent(path).split("/").filter(Boolean);
  } catch {
    return undefined;
  }
};
