// Signing out at the provider, and remembering in this tab that it was meant.
import type { AuthContextProps } from "react-oidc-context";
import { tellSignOut } from "./sign-out-news.ts";

const key = "signed-out";

/** True after an explicit sign-out: the page then waits for a click instead of going straight back in. */
export const hasSignedOut = (): boolean => sessionStorage.getItem(key) !== null;

export const forgetSignOut = (): void => sessionStorage.removeItem(key);

export const rememberSignOut = (): void => sessionStorage.setItem(key, "yes");

/** Here, in the other tabs of this person, and at the provider. */
export const signOut = async (auth: AuthContextProps): Promise<void> => {
  rememberSignOut();
  if (auth.user) tellSignOut(auth.user.profile.sub);
  // A provider without a way to revoke ends the tokens with the session, or lets them run out.
  await auth.revokeTokens(["refresh_token"]).catch(() => undefined);
  await auth.signoutRedirect();
};

/** Ends the session at the provider and goes straight to its login page. */
export const signInAsSomeoneElse = (auth: AuthContextProps): Promise<void> => auth.signoutRedirect();
