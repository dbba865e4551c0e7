// Renders a part of a screen against a fake API, without the router and the frame.
import { MantineProvider } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import type { Client } from "@task-service/contract";
import { render } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { theme } from "../app/theme.ts";
import { ClientProvider } from "../data/client-context.tsx";
import { createQueryClient } from "../data/query-client.ts";

export const renderPart = (client: Client, part: ReactNode) => {
  notifications.clean();
  const queries = createQueryClient({ onUnauthenticated: () => undefined, isLive: () => true });
  const user = userEvent.setup();
  const rendered = render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queries}>
        <ClientProvider client={client}>{part}</ClientProvider>
      </QueryClientProvider>
      <Notifications />
    </MantineProvider>,
  );
  return { user, queries, ...rendered };
};
