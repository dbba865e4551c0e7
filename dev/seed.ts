// The sample data of `npm start`: one organization, its personas, and tasks as people would write them.
import { type Client, createClient, ProblemError, type TaskCreate } from "@task-service/contract";

const slug = "acme";

type Sample = Pick<TaskCreate, "prompt" | "priority" | "labels"> &
  ({ persona: string } | { person: string }) & {
    /** In `acme/webshop`, whose issues are files in examples/repos: `issues/<number>` or `pulls/<number>`. */
    link?: string;
  };

const samples: Sample[] = [
  {
    persona: "planner",
    priority: 50,
    labels: ["onboarding"],
    prompt:
      "Plan the guest checkout\n\nA third of our visitors leave at the sign-up form. Split a checkout without an account into steps that can each be released on its own. Name the open questions first.",
  },
  {
    persona: "developer",
    priority: 100,
    labels: ["incident", "payments"],
    link: "issues/12",
    prompt:
      "Stop double charges when the payment page is reloaded\n\nSince 09:10 reloading `/pay` charges the card again. Make the charge idempotent by order id, add a test that reloads, and say which orders have to be refunded.",
  },
  {
    persona: "developer",
    priority: 0,
    labels: ["search"],
    prompt:
      "Find products in spite of accents\n\nSearching for `creme` does not find *Crème brûlée*. Fold accents in the index and in the query. Results for exact spellings stay first.",
  },
  {
    persona: "reviewer",
    priority: 50,
    labels: ["security"],
    link: "pulls/15",
    prompt:
      "Review the new password reset\n\nBranch `password-reset` in `acme/webshop`. Look at the lifetime of the links, at what the page tells about unknown addresses, and at the tests.",
  },
  {
    persona: "tester",
    priority: 0,
    labels: ["checkout"],
    prompt:
      "Test the checkout in four currencies\n\nEUR, USD, JPY and KWD have two, two, zero and three decimals. Go through cart, discount, tax and invoice and report every amount that is rounded differently.",
  },
  {
    persona: "developer",
    priority: -50,
    labels: ["chore"],
    link: "pulls/11",
    prompt:
      "Remove the old newsletter code\n\nThe provider was switched in spring. Delete `newsletter-v1`, its settings and its table, and keep the unsubscribe links working.",
  },
  {
    persona: "planner",
    priority: -50,
    labels: ["infrastructure"],
    prompt:
      "Plan the move of images to the object store\n\n120 GB of product images are on the web server's disk. Propose a move without downtime, with a way back, and estimate what it costs a month.",
  },
  {
    persona: "tester",
    priority: 50,
    labels: ["accessibility"],
    prompt:
      "Use the shop without a mouse\n\nBuy one article with the keyboard alone and with a screen reader. Write down each place where the focus is lost or a control has no name.",
  },
  {
    person: "alice",
    priority: 50,
    labels: ["decision"],
    prompt:
      "Decide how long we keep abandoned carts\n\nThe planner proposes 30 days; legal asked for less. The guest checkout waits for it.",
  },
  {
    person: "bob",
    priority: 0,
    labels: ["payments"],
    prompt: "Refund the orders that were charged twice\n\nThe list comes out of the incident task.",
  },
];

export interface SeedOptions {
  /** Including `/api`. */
  baseUrl: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Makes the organization unless it is there, synchronizes it, and fills a new one with tasks. */
export const seed = async (options: SeedOptions): Promise<void> => {
  const accessToken = await fetchToken(options);
  const client = createClient({ baseUrl: options.baseUrl, token: () => accessToken });
  const isNew = await client.createOrganization({ body: { slug, name: "Acme" } }).then(() => true, ignoreTaken);
  await client.syncOrganization({ params: { organization: slug } });
  if (isNew) await createSamples(client);
};

const ignoreTaken = (error: unknown): boolean => {
  if (error instanceof ProblemError && error.code === "slug_taken") return false;
  throw error;
};

/** One after the other, as their order is the order they are dispatched in. A persona that is not there is left out. */
const createSamples = async (client: Client): Promise<void> => {
  const { items } = await client.listAgentTypes({ query: { organization: slug, is_active: true } });
  const agentTypes = new Map(items.map((item) => [item.slug, item.id]));
  const { git_url } = await client.getMe();
  for (const { prompt, priority = 0, labels = [], link, ...to } of samples) {
    const assignee = "person" in to ? to.person : agentTypes.get(to.persona);
    const assignee_type = "person" in to ? "user" : "agent";
    const placed = assignee_type === "user" && { organization: slug };
    const linked = link && { git_link: `${git_url}/${slug}/webshop/${link}` };
    if (!assignee) continue;
    await client.createTask({ body: { prompt, priority, labels, assignee, assignee_type, ...placed, ...linked } });
  }
};

const fetchToken = async ({ issuer, clientId, clientSecret }: SeedOptions): Promise<string> => {
  const discovery = await fetch(`${issuer}/.well-known/openid-configuration`);
  const { token_endpoint } = (await discovery.json()) as { token_endpoint: string };
  const answer = await fetch(token_endpoint, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  if (!answer.ok) throw new Error(`${token_endpoint} answered ${answer.status}`);
  return ((await answer.json()) as { access_token: string }).access_token;
};
