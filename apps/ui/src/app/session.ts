// The signed-in person: tokens in memory only, renewed by refresh token, never through a frame.
import { ErrorResponse, InMemoryWebStorage, type User, UserManager, WebStorageStateStore } from "oidc-client-ts";
import { signedInPath } from "../lib/return-paths.ts";
import { SignedOutError } from "../lib/signed-out-error.ts";
import type { UiSettings } from "./ui-settings.ts";

export interface Session {
  manager: UserManager;
  /** The access token, renewed first if it is over. Rejects with {@link SignedOutError} if nobody is signed in. */
  token: () => Promise<string>;
  /** Forgets the tokens: the API refuses them. */
  end: () => void;
}

const createManager = ({ oidc }: UiSettings): UserManager =>
  new UserManager({
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

export const createSession = (settings: UiSettings): Session => {
  const manager = createManager(settings);
  let renewal: Promise<User | null> | undefined;

  const end = () => void manager.removeUser();

  /** One renewal at a time: a rotated refresh token is good for a single use. */
  const renew = (): Promise<User | null> => {
    renewal ??= manager.signinSilent().finally(() => {
      renewal = undefined;
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

  return { manager, token, end };
};
