// A person takes a task in the browser, and somebody else sees it dispatched and answered.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible, signIn } from "./pages.ts";
import { signInWithClient } from "./signed-in-client.ts";

/** The demo executor takes one at a time: of so many some are left for a person. */
const taskCount = 12;

/** Signs somebody in, founds an organization whose tasks only the test creates, and gives what queues tasks in it. */
const signInQueuer = async (page: Page, name: string, organization: string) => {
  const personas = join(process.env.E2E_DIR ?? "", "repos", organization, `${organization}-agents/personas`);
  mkdirSync(personas, { recursive: true });
  writeFileSync(join(personas, "reader.md"), "---\nname: Reader\ndescription: Reads.\n---\n\nYou read.\n");
  const client = await signInWithClient(page, name, "/tasks");
  await client.createOrganization({ body: { slug: organization, name: organization } });
  await client.syncOrganization({ params: { organization } });
  return async (title: string): Promise<void> => {
    const prompt = `${title}\n\nIt **matters**.`;
    const task = { prompt, assignee_type: "agent" as const, assignee: `${organization}/reader`, priority: 300 };
    await client.createTasks({ body: { tasks: Array.from({ length: taskCount }, () => task) } });
  };
};

test("alice takes a task with the keyboard, answers and finishes; bob sees it happen", async ({ page, browser }) => {
  const context = await browser.newContext();
  const bob = await context.newPage();
  const queueTasks = await signInQueuer(bob, "bob", "archive");
  await signIn(page, "alice", "/respond?agent=archive/reader");

  await page.getByRole("button", { name: "Take the next task" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Waiting for the next task.")).toBeVisible();
  await queueTasks("Read the contract");
  await expect(page.getByRole("heading", { name: "Read the contract", level: 1 })).toBeFocused();
  await expect(page.getByRole("strong").filter({ hasText: "matters" })).toBeVisible();
  await expectAccessible(page);

  const address = await page.getByRole("link", { name: "Task page, in a new tab" }).getAttribute("href");
  await bob.goto(address ?? "");
  const facts = bob.getByRole("complementary", { name: "Facts" });
  await expect(facts.getByRole("definition").filter({ hasText: "alice-web" })).toBeVisible();

  const answer = page.getByRole("textbox", { name: "Your answer" });
  await answer.fill("It is **sound**.");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.goto("/respond");
  await expect(answer).toHaveValue("It is **sound**.");

  await answer.focus();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("button", { name: "Take the next task" })).toBeVisible();
  await expect(bob.getByRole("strong").filter({ hasText: "sound" })).toBeVisible();
  await expect(bob.getByRole("cell", { name: "Worker finished" })).toBeVisible();
  await context.close();
});

test("a task that somebody requeues is taken from bob's hands, and his words stay", async ({ page, browser }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  const context = await browser.newContext();
  const alice = await context.newPage();
  const queueTasks = await signInQueuer(alice, "alice", "inventory");
  await signIn(page, "bob", "/respond?organization=inventory");
  await page.getByRole("button", { name: "Take the next task" }).click();
  await expect(page.getByText("Waiting for the next task.")).toBeVisible();
  await queueTasks("Count the chairs");
  await page.getByRole("textbox", { name: "Your answer" }).fill("Twelve so far");

  const address = await page.getByRole("link", { name: "Task page, in a new tab" }).getAttribute("href");
  await alice.goto(address ?? "");
  await alice.getByRole("button", { name: "Requeue" }).click();
  const question = alice.getByRole("dialog", { name: "Return this task to the queue?" });
  await question.getByRole("button", { name: "Return to the queue" }).click();
  await expect(page.getByText("This task is no longer yours")).toBeVisible();
  await expect(page.getByText("Somebody returned it to the queue.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "What you wrote" })).toHaveValue("Twelve so far");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await context.close();
});

test("a task in hand outlives the tokens it was taken with", async ({ page, browser }) => {
  const context = await browser.newContext();
  const queueTasks = await signInQueuer(await context.newPage(), "bob", "library");
  let renewals = 0;
  page.on("requestfinished", (request) => {
    if (request.url().endsWith("/token") && request.postData()?.includes("refresh_token")) renewals += 1;
  });
  await signIn(page, "ebba", "/respond?organization=library");
  await page.getByRole("button", { name: "Take the next task" }).click();
  await expect(page.getByText("Waiting for the next task.")).toBeVisible();
  await queueTasks("Sort the shelves");
  const answer = page.getByRole("textbox", { name: "Your answer" });
  await answer.fill("By colour");
  const begun = renewals;
  await expect.poll(() => renewals - begun, { timeout: 30_000 }).toBeGreaterThan(2);
  await expect(answer).toHaveValue("By colour");
  await page.getByRole("button", { name: "Save and finish" }).click();
  await expect(page.getByRole("button", { name: "Take the next task" })).toBeVisible();
  await context.close();
});
