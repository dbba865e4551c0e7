// A token from the client-credentials grant, renewed ahead of its end and kept in a file for the workers (D-08).
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Credentials } from "./credentials.ts";
import { type ClientSettings, type Grant, requestToken } from "./token-grant.ts";

/** The share of its life after which a token is renewed; the rest is for an identity provider that is away. */
const renewAfter = 2 / 3;
const retryMs = 5_000;
/** What a timer can hold. */
const maxTimerMs = 2 ** 31 - 1;

/** Asks for no token yet: the identity provider may be away when the executor starts. */
export const createGrantedCredentials = async (
  settings: ClientSettings,
  request: (settings: ClientSettings, signal: AbortSignal) => Promise<Grant> = requestToken,
): Promise<Credentials> => {
  const directory = await mkdtemp(join(tmpdir(), "task-service-token-"));
  const tokenFile = join(directory, "token");
  let current = { token: "", endsAtMs: 0 };
  let renewal: Promise<string> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const closed = new AbortController();

  const renewIn = (ms: number): void => {
    clearTimeout(timer);
    if (closed.signal.aborted) return;
    timer = setTimeout(() => renewOnce().catch(() => renewIn(retryMs)), Math.min(ms, maxTimerMs)).unref();
  };

  const renewNow = async (): Promise<string> => {
    const { token, lifeMs } = await request(settings, closed.signal);
    await writeFile(`${tokenFile}.new`, token, { mode: 0o600 });
    await rename(`${tokenFile}.new`, tokenFile);
    current = { token, endsAtMs: Date.now() + lifeMs };
    renewIn(lifeMs * renewAfter);
    return token;
  };

  const renewOnce = (): Promise<string> => {
    renewal ??= renewNow().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };

  return {
    tokenFile,
    token: async () => (Date.now() < current.endsAtMs ? current.token : renewOnce()),
    renew: async (refused) => (refused === current.token ? renewOnce() : current.token),
    close: async () => {
      closed.abort();
      clearTimeout(timer);
      await rm(directory, { recursive: true, force: true });
    },
  };
};
