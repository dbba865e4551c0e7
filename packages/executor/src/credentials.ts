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

/** Whether `text` can be a token: what else it is must not even be told, for it may hold one. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

/** Somebody else renews the token; it is read again every time, so a change counts at once. */
export const createFileCredentials = (tokenFile: string): Credentials => {
  const token = async (): Promise<string> => {
    const content = await readFile(tokenFile, "utf8").catch((error: Error) => {
      throw new CredentialsError(error.message);
    });
    const token = content.trim();
    if (!token) throw new CredentialsError(`${tokenFile} is empty`);
    if (!isToken(token)) throw new CredentialsError(`${tokenFile} does not hold a token on one line`);
    return token;
  };
  return { tokenFile, token, renew: token, close: () => Promise.resolve() };
};
