// Takes docs/queue.png, the README's picture: the queue of a running `npm start -- --bare --reset`, filled for it, at 1440×900.
// Usage: node e2e/queue-picture.ts [address of the task service, http://localhost:8080]
import { join } from "node:path";
import { chromium } from "@playwright/test";
import type { TaskCreate } from "@task-service/contract";
import { acmeAgentTypes, signInWithClient } from "./signed-in-client.ts";

const address = process.argv[2] ?? "http://localhost:8080";
const file = join(import.meta.dirname, "../docs/queue.png");
const size = { width: 1440, height: 900 };

type Sample = readonly [persona: string, priority: number, title: string, label: string];

const howToEnd = `

1. Read what was decided before you begin.
2. Keep the change small enough to be read at one sitting.

Say in the result **what you changed** and what you left alone.`;

/** Its preview is open, which says why it waits. */
const opened = "Send invoices as PDF/A";

/** As people would write them, in no order: the queue has its own. */
const samples: readonly Sample[] = [
  ["developer", 200, "Stop double charges when the payment page is reloaded", "incident"],
  ["developer", 100, "Patch the parser of uploaded spreadsheets", "security"],
  ["tester", 100, "Try to pay twice with the back button", "incident"],
  ["reviewer", 50, "Review the new password reset", "security"],
  ["planner", 50, "Plan the guest checkout", "onboarding"],
  ["tester", 50, "Use the shop without a mouse", "accessibility"],
  ["developer", 50, opened, "invoices"],
  ["developer", 0, "Find products in spite of accents", "search"],
  ["tester", 0, "Test the checkout in four currencies", "checkout"],
  ["release-manager", 0, "Prepare release 4.2", "release"],
  ["reviewer", 0, "Review the search index migration", "search"],
  ["developer", 0, "Show the delivery date in the cart", "checkout"],
  ["planner", -50, "Plan the move of images to the object store", "infrastructure"],
  ["developer", -50, "Remove the old newsletter code", "chore"],
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
try {
  const page = await browser.newPage({
    baseURL: address,
    viewport: size,
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  const client = await signInWithClient(page, "alice");
  const items = await acmeAgentTypes(client);
  for (const [persona, priority, title, label] of samples) {
    const assignee = items.find(({ slug }) => slug === persona)?.id;
    if (!assignee) throw new Error(`There is no agent type ${persona} in acme.`);
    const body: TaskCreate = {
      title,
      prompt: `${title}.${howToEnd}`,
      priority,
      labels: [label],
      assignee,
      assignee_type: "agent",
    };
    await client.createTask({ body });
  }
  await page.getByRole("main").getByText("Remove the old newsletter code").first().waitFor();
  await page.getByRole("button", { name: /^Live:/ }).waitFor();
  await page.getByRole("link", { name: opened }).click();
  await page.getByText("Waiting behind 3 with higher priority").waitFor();
  await page.getByText("what you changed").waitFor();
  await page.screenshot({ path: file, animations: "disabled" });
  process.stdout.write(`${file}\n`);
} finally {
  await browser.close();
}
