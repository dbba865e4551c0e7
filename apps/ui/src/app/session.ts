// The signed-in person: tokens in memory only, renewed by refresh token, never through a frame.
import {
  ErrorResponse,
  InMemoryWebStorage,
  OidcClient,
  type User,
  UserManager,
  type UserManagerSettings,
  WebStorageStateStore,
} from "oidc-client-ts";
import { signedInPath } from "../lib/return-paths.ts";
import { SignedOutError } from "../lib/signed-out-error.ts";
import { askInWindow } from "./sign-in-window.ts";
import type { UiSettings } from "./ui-settings.ts";

export interface Session {
  manager: UserManager;
  /** The access token, renewed first if it is over. Rejects with {@link SignedOutError} if nobody is signed in. */
  token: () => Promise<string>;
  /** Forgets the tokens: they are of no use any more. */
  end: () => void;
  /** The API refused the token: it is renewed once; if the new one is refused too, the session is over. */
  doubt: () => Promise<void>;
  /** Signs in again beside this page; answers who did. Undefined if the browser lets no window open. */
  signInBeside: () => Promise<string | undefined>;
}

const managerSettings = ({ oidc }: UiSettings): UserManagerSettings => ({
  authority: oidc.issuer,
  client_id: oidc.client_id,
  scope: oidc.scope,
  ...(oidc.resource && { resource: oidc.resource }),
  redirect_uri: `${window.location.origin}${signedInPath}`,
  post_logout_redirect_uri: `${window.location.origin}/`,
  userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  // Holds the PKCE verifier while the person is at the provider; of no use to other tabs.
  stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
  // The library would fall back to a hidden frame, which the page's policy forbids.
  automaticSilentRenew: false,
});

/** Answers to what was sent with the token before may still arrive. */
const stragglerMs = 2_000;
/** A token that is refused so soon after it came is refused for good. */
const freshMs = 30_000;

export const createSession = (uiSettings: UiSettings): Session => {
  const settings = managerSettings(uiSettings);
  const manager = new UserManager(settings);
  let renewal: Promise<User | null> | undefined;
  let renewedAt = 0;

  const end = () => void manager.removeUser();

  /** One renewal at a time: a rotated refresh token is good for a single use. */
  const renew = (): Promise<User | null> => {
    renewal ??= manager.signinSilent().finally(() => {
      renewal = undefined;
      renewedAt = Date.now();
    });
    return renewal;
  };

  const renewOrEnd = async (user: User | null): Promise<User> => {
    const renewed = user?.refresh_token
      ? await renew().catch((error: unknown) => {
          // A provider that cannot be reached says nothing about the session; a refusal does.
          if (error instanceof ErrorResponse) return null;
          throw error;
        })
      : null;
    if (renewed) return renewed;
    end();
    throw new SignedOutError();
  };

  manager.events.addAccessTokenExpiring(async () => {
    const user = await manager.getUser();
    // Without a refresh token the person stays until the token is over and then signs in again.
    if (user?.refresh_token) await renewOrEnd(user).catch(() => undefined);
  });

  const token = async () => {
    const user = await manager.getUser();
    return user && !user.expired ? user.access_token : (await renewOrEnd(user)).access_token;
  };

  // A clock that was set back makes a token look young that the API knows to be over.
  const doubt = async () => {
    const ageMs = Date.now() - renewedAt;
    if (ageMs < stragglerMs) return;
    if (ageMs < freshMs) return end();
    await renewOrEnd(await manager.getUser()).catch(() => undefined);
  };

  const signInBeside = async () => {
    const url = await askInWindow(new OidcClient(settings));
    return url && (await manager.signinRedirectCallback(url)).profile.sub;
  };

  return { manager, token, end, doubt, signInBeside };
};
