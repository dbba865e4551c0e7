// Lets nobody past who is not signed in, and sends them to the identity provider without a needless click.
import { type ReactNode, useEffect, useState } from "react";
import { useAuth } from "react-oidc-context";
import { returnPath } from "../lib/return-paths.ts";
import { ProviderDownPage } from "./provider-down-page.tsx";
import { SessionEndedDialog } from "./session-ended-dialog.tsx";
import { forgetSignOut, hasSignedOut } from "./sign-out.ts";
import { SignedOutPage } from "./signed-out-page.tsx";
import { SplashPage } from "./splash-page.tsx";

const currentPath = () => returnPath(window.location.href.slice(window.location.origin.length));

export const SignInGate = ({ children }: { children: ReactNode }) => {
  const auth = useAuth();
  const [hasEntered, setHasEntered] = useState(false);
  if (auth.isAuthenticated && !hasEntered) setHasEntered(true);

  const signIn = () => {
    forgetSignOut();
    return auth.signinRedirect({ state: currentPath() });
  };
  const isOutside = !hasEntered && !auth.isLoading && !auth.isAuthenticated && !auth.error && !auth.activeNavigator;
  const isSentAway = isOutside && !hasSignedOut();
  const { signinRedirect } = auth;
  useEffect(() => {
    if (isSentAway) void signinRedirect({ state: currentPath() });
  }, [isSentAway, signinRedirect]);

  // Once inside, the screens stay: a session that ends must not take half-typed text with it.
  if (hasEntered)
    return (
      <>
        {children}
        <SessionEndedDialog isOpen={!auth.user && !auth.activeNavigator} onSignIn={signIn} />
      </>
    );
  if (auth.error) return <ProviderDownPage error={auth.error} onRetry={signIn} />;
  if (isOutside && !isSentAway) return <SignedOutPage onSignIn={signIn} />;
  return <SplashPage>Signing in…</SplashPage>;
};
