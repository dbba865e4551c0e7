// A client of the API for whoever is signed in on a page, the organization that a stack without sample data lacks, and tasks for a tester.
import type { Page } from "@playwright/test";
import {
  type AgentTypeSummary,
  type Client,
  createClient,
  ProblemError,
  type TaskCreate,
} from "@task-service/contract";
import { signIn } from "./pages.ts";

/** Opens `path` and signs in on the page; the client sends the token that the page sent last. */
export const signInWithClient = async (page: Page, name: string, path?: string): Promise<Client> => {
  let token = "";
  page.on("request", (request) => {
    token = request.headers()["authorization"]?.replace("Bearer ", "") || token;
  });
  const isAuthorized = page.waitForRequest((request) => request.headers()["authorization"] !== undefined);
  await signIn(page, name, path);
  const baseUrl = new URL("/api", (await isAuthorized).url()).href;
  return createClient({ baseUrl, token: () => token });
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

/** Queues tasks for acme's tester, whose tasks have no follow-ups, and gives their ids. */
export const queueForTester = async (client: Client, tasks: readonly TaskCreate[]): Promise<string[]> => {
  const ofTester = tasks.map((task) => ({ ...task, assignee_type: "agent" as const, assignee: "acme/tester" }));
  const { items } = await client.createTasks({ body: { tasks: ofTester } });
  return items.map(({ id }) => id);
};
