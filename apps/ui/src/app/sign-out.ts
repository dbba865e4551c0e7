// Signing out at the provider, and remembering in this tab that it was meant.
import type { AuthContextProps } from "react-oidc-context";

const key = "signed-out";

/** True after an explicit sign-out: the page then waits for a click instead of going straight back in. */
export const hasSignedOut = (): boolean => sessionStorage.getItem(key) !== null;

export const forgetSignOut = (): void => sessionStorage.removeItem(key);

export const signOut = (auth: AuthContextProps): Promise<void> => {
  sessionStorage.setItem(key, "yes");
  return auth.signoutRedirect();
};

/** Ends the session at the provider and goes straight to its login page. */
export const signInAsSomeoneElse = (auth: AuthContextProps): Promise<void> => auth.signoutRedirect();
