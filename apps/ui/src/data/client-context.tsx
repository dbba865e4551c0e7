// The one API client of the application, given to every hook that reads or writes.
import type { Client } from "@task-service/contract";
import { createContext, type ReactNode, use } from "react";

const ClientContext = createContext<Client | null>(null);

export const ClientProvider = ({ client, children }: { client: Client; children: ReactNode }) => (
  <ClientContext value={client}>{children}</ClientContext>
);

export const useClient = (): Client => {
  const client = use(ClientContext);
  if (!client) throw new Error("useClient needs a ClientProvider above it");
  return client;
};
