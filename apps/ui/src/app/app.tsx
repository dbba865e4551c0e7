// Puts the application together: look, session, data, and the screens behind the two gates.
import { MantineProvider } from "@mantine/core";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { Client } from "@task-service/contract";
import type { User } from "oidc-client-ts";
import { AuthProvider, useAuth } from "react-oidc-context";
import { ClientProvider } from "../data/client-context.tsx";
import type { LiveEvents } from "../data/live-events.ts";
import { LiveUpdates } from "../data/live-updates.tsx";
import { returnPath } from "../lib/return-paths.ts";
import { MemberGate } from "./member-gate.tsx";
import { Notices } from "./notices.tsx";
import { Screens } from "./screens.tsx";
import type { Session } from "./session.ts";
import { SignInGate } from "./sign-in-gate.tsx";
import { cssVariables, theme } from "./theme.ts";

interface AppProps {
  session: Session;
  client: Client;
  live: LiveEvents;
  queryClient: QueryClient;
  styleNonce: string;
}

/** Takes the provider's answer out of the address and goes to the page asked for. */
const onSigninCallback = (user: User | undefined) => window.history.replaceState(null, "", returnPath(user?.state));

const LiveScreens = ({ live }: { live: LiveEvents }) => (
  <LiveUpdates live={live} subject={useAuth().user?.profile.sub ?? null}>
    <Screens />
  </LiveUpdates>
);

export const App = ({ session, client, live, queryClient, styleNonce }: AppProps) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={() => styleNonce}
  >
    <AuthProvider userManager={session.manager} onSigninCallback={onSigninCallback}>
      <QueryClientProvider client={queryClient}>
        <ClientProvider client={client}>
          <SignInGate onSignInBeside={session.signInBeside}>
            <MemberGate>
              <LiveScreens live={live} />
            </MemberGate>
          </SignInGate>
        </ClientProvider>
      </QueryClientProvider>
    </AuthProvider>
    <Notices />
  </MantineProvider>
);
