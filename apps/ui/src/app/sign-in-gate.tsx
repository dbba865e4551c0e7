// Lets nobody past who is not signed in, and sends them to the identity provider without a needless click.
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useAuth } from "react-oidc-context";
import { returnPath } from "../lib/return-paths.ts";
import { ProviderDownPage } from "./provider-down-page.tsx";
import { forgetSignOut, hasSignedOut, rememberSignOut } from "./sign-out.ts";
import { whenSignedOut } from "./sign-out-news.ts";
import { SignedOutPage } from "./signed-out-page.tsx";
import { SplashPage } from "./splash-page.tsx";

const loadDialog = () => import("./session-ended-dialog.tsx");
const SessionEndedDialog = lazy(loadDialog);
/** Loaded in good time: when a session ends the server may be away. */
const dialogAfterMs = 5_000;

const currentPath = () => returnPath(window.location.href.slice(window.location.origin.length));

interface SignInGateProps {
  /** Signs in beside the page; answers who did, or undefined if the browser lets no window open. */
  onSignInBeside: () => Promise<string | undefined>;
  children: ReactNode;
}

export const SignInGate = ({ onSignInBeside, children }: SignInGateProps) => {
  const auth = useAuth();
  const { removeUser } = auth;
  /** Whose screens these are; null before anybody signed in. */
  const [subject, setSubject] = useState<string | null>(null);
  const signedIn = auth.isAuthenticated ? (auth.user?.profile.sub ?? null) : null;
  if (signedIn !== null && subject === null && !hasSignedOut()) setSubject(signedIn);
  const hasEntered = subject !== null;

  useEffect(
    () =>
      whenSignedOut((who) => {
        if (who !== subject) return;
        rememberSignOut();
        void removeUser().then(() => setSubject(null));
      }),
    [subject, removeUser],
  );

  useEffect(() => {
    if (!hasEntered) return;
    const timer = setTimeout(() => void loadDialog().catch(() => undefined), dialogAfterMs);
    return () => clearTimeout(timer);
  }, [hasEntered]);

  const signIn = () => {
    forgetSignOut();
    return auth.signinRedirect({ state: currentPath() });
  };
  const signInBeside = async () => {
    const who = await onSignInBeside();
    if (who === undefined) await signIn();
    // Nobody works on with what was read for somebody else.
    else if (who !== subject) window.location.reload();
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
        <Suspense fallback={null}>
          {!auth.user && !auth.activeNavigator && <SessionEndedDialog onSignIn={signInBeside} />}
        </Suspense>
      </>
    );
  if (auth.error) return <ProviderDownPage error={auth.error} onRetry={signIn} />;
  if (isOutside && !isSentAway) return <SignedOutPage onSignIn={signIn} />;
  return <SplashPage>Signing in…</SplashPage>;
};
