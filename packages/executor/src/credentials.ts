// Where the executor's access token comes from, and the file its workers read it from (D-08).
import { readFile } from "node:fs/promises";

/** There is no token: the file cannot be read, or the identity provider is away or refuses. */
export class CredentialsError extends Error {
  override readonly name = "CredentialsError";
}

export interface Credentials {
  /** Holds the current token at any time; workers read it before each request. */
  readonly tokenFile: string;
  /** The current token. Rejects with {@link CredentialsError}. */
  token(): Promise<string>;
  /** Another token, now that the service has refused this one. */
  renew(refused: string): Promise<string>;
  /** Ends the renewal and removes what was written. */
  close(): Promise<void>;
}

/** Somebody else renews the token; it is read again every time, so a change counts at once. */
export const createFileCredentials = (tokenFile: string): Credentials => {
  const token = async (): Promise<string> => {
    const content = await readFile(tokenFile, "utf8").catch((error: Error) => {
      throw new CredentialsError(error.message);
    });
    if (!content.trim()) throw new CredentialsError(`${tokenFile} is empty`);
    return content.trim();
  };
  return { tokenFile, token, renew: token, close: () => Promise.resolve() };
};
