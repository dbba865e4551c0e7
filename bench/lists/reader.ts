// One who reads: requests over a connection of its own, one after the other.
import { openConnection, requestOf } from "../ours/http-connection.ts";

/** An answer that is not 200. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

export interface Reader {
  /** Milliseconds from asking to having the whole answer. Rejects with {@link RefusedError}, as `read` does. */
  time(path: string): Promise<number>;
  read<T>(path: string): Promise<T>;
  close(): void;
}

export const openReader = async (port: number, token: string): Promise<Reader> => {
  const connection = await openConnection(port);
  const send = async (path: string): Promise<Buffer> => {
    const { status, body } = await connection.send(requestOf("GET", path, token));
    if (status !== 200) throw new RefusedError(`GET ${path}: ${status} ${body.toString().slice(0, 300)}`);
    return body;
  };
  return {
    time: async (path) => {
      const startedAt = performance.now();
      await send(path);
      return performance.now() - startedAt;
    },
    read: async <T>(path: string) => JSON.parse((await send(path)).toString()) as T,
    close: connection.close,
  };
};
