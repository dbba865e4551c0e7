// One keep-alive HTTP connection, one request at a time: as light as a client can be, for it shares two cores with the server.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Answer {
  status: number;
  body: Buffer;
}

export interface HttpConnection {
  /** Rejects when the connection ends before the answer does. */
  send(request: Buffer): Promise<Answer>;
  close(): void;
}

const blankLine = Buffer.from("\r\n\r\n");

/** Bytes to send for `method` on `path`; made once where it can be. */
export const requestOf = (method: "GET" | "POST", path: string, token: string, body?: unknown): Buffer => {
  const json = body === undefined ? "" : JSON.stringify(body);
  const type = json && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\nauthorization: Bearer ${token}\r\n${type}\r\n${json}`,
  );
};

export const openConnection = async (port: number): Promise<HttpConnection> => {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  let waiting: PromiseWithResolvers<Answer> | undefined;
  const reader = answerReader((answer) => {
    const call = waiting;
    waiting = undefined;
    call?.resolve(answer);
  });
  socket.on("data", reader);
  const fail = (error?: Error): void => waiting?.reject(error ?? new Error("The connection was closed."));
  socket.on("error", fail);
  socket.on("close", () => fail());
  return {
    send: (request) => {
      waiting = Promise.withResolvers();
      writeTo(socket, request, waiting);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
};

const writeTo = (socket: Socket, request: Buffer, waiting: PromiseWithResolvers<Answer>): void => {
  if (socket.destroyed) waiting.reject(new Error("The connection was closed."));
  else socket.write(request);
};

/** Puts answers together from what arrives. Knows `content-length` only, which is all that the API sends. */
const answerReader = (onAnswer: (answer: Answer) => void): ((chunk: Buffer) => void) => {
  let chunks: Buffer[] = [];
  let received = 0;
  let status = 0;
  let headBytes = 0;
  let totalBytes = 0;
  return (chunk) => {
    chunks.push(chunk);
    received += chunk.length;
    if (totalBytes === 0) {
      const begin = chunks.length === 1 ? chunk : Buffer.concat(chunks);
      const end = begin.indexOf(blankLine);
      if (end === -1) return;
      const head = begin.toString("latin1", 0, end);
      status = Number(head.slice(9, 12));
      headBytes = end + blankLine.length;
      totalBytes = headBytes + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    }
    if (received < totalBytes) return;
    const whole = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    const answer = { status, body: whole.subarray(headBytes, totalBytes) };
    chunks = [];
    received = 0;
    totalBytes = 0;
    onAnswer(answer);
  };
};
