// Renders the application at an address, signed in, against a fake API.
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory } from "@tanstack/react-router";
import type { Client } from "@task-service/contract";
import { render } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { User, UserProfile } from "oidc-client-ts";
import { AuthContext, type AuthContextProps } from "react-oidc-context";
import { vi } from "vitest";
import { MemberGate } from "../app/member-gate.tsx";
import { Screens } from "../app/screens.tsx";
import { theme } from "../app/theme.ts";
import { ClientProvider } from "../data/client-context.tsx";
import type { LiveEvents } from "../data/live-events.ts";
import type { News } from "../data/live-news.ts";
import { LiveUpdates } from "../data/live-updates.tsx";
import { createQueryClient } from "../data/query-client.ts";

/** Somebody signed in, with every method of the session as a spy. */
export const fakeAuth = (name: string) => {
  const profile = { sub: name, preferred_username: name } as UserProfile;
  const signoutRedirect = vi.fn(async () => undefined);
  const revokeTokens = vi.fn(async () => undefined);
  const auth = { isAuthenticated: true, isLoading: false, user: { profile } as User, signoutRedirect, revokeTokens };
  return auth as typeof auth & Pick<AuthContextProps, "isAuthenticated">;
};

/** A live connection that stands or not as a test says, and tells what a test tells. */
export const createFakeLive = (isUp = false) => {
  const listeners = new Set<() => void>();
  let hear: ((news: readonly News[]) => void) | undefined;
  let stands = isUp;
  const doubt = vi.fn();
  const live: LiveEvents = {
    isUp: () => stands,
    doubt,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow: (tell) => {
      hear = tell;
      return () => {
        hear = undefined;
      };
    },
  };
  const setUp = (next: boolean) => {
    stands = next;
    for (const listener of listeners) listener();
  };
  return { live, setUp, doubt, tell: (news: News) => hear?.([news]) };
};

export const renderScreens = (
  client: Client,
  path = "/",
  auth = fakeAuth("alice"),
  { live }: { live: LiveEvents } = createFakeLive(),
) => {
  const history = createMemoryHistory({ initialEntries: [path] });
  const user = userEvent.setup();
  render(
    <MantineProvider theme={theme} env="test">
      <AuthContext value={auth as unknown as AuthContextProps}>
        <QueryClientProvider client={createQueryClient({ onUnauthenticated: () => undefined, isLive: live.isUp })}>
          <ClientProvider client={client}>
            <MemberGate>
              <LiveUpdates live={live} subject="alice">
                <Screens history={history} />
              </LiveUpdates>
            </MemberGate>
          </ClientProvider>
        </QueryClientProvider>
      </AuthContext>
      <Notifications />
    </MantineProvider>,
  );
  return { user, history, auth };
};
