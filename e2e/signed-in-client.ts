// A client of the API for whoever is signed in on a page, and the organization that a stack without sample data lacks.
import type { Page } from "@playwright/test";
import { type AgentTypeSummary, type Client, createClient, ProblemError } from "@task-service/contract";
import { signIn } from "./pages.ts";

/** Signs in on the page; the client sends the token that the page sent last. */
export const signInWithClient = async (page: Page, name: string, address: string): Promise<Client> => {
  let token = "";
  page.on("request", (request) => {
    token = request.headers()["authorization"]?.replace("Bearer ", "") || token;
  });
  const isAuthorized = page.waitForRequest((request) => request.headers()["authorization"] !== undefined);
  await signIn(page, name);
  await isAuthorized;
  return createClient({ baseUrl: new URL("/api", address).href, token: () => token });
};

/** The active agent types of acme, which is created unless it is there. */
export const acmeAgentTypes = async (client: Client): Promise<AgentTypeSummary[]> => {
  await client.createOrganization({ body: { slug: "acme", name: "Acme" } }).catch((error: unknown) => {
    if (!(error instanceof ProblemError && error.code === "slug_taken")) throw error;
  });
  await client.syncOrganization({ params: { organization: "acme" } });
  const { items } = await client.listAgentTypes({ query: { organization: "acme", is_active: true } });
  return items;
};
