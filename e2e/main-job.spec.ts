// The main job: a person creates a task, an executor takes it, its worker creates the review, which is taken in its turn.
import { expect, test } from "@playwright/test";
import { createTask, expectAccessible, signIn } from "./pages.ts";

test("alice creates a task and sees it dispatched, with its follow-up", async ({ page }) => {
  await signIn(page, "alice");
  await expect(page.getByRole("heading", { name: "Queue", level: 1 })).toBeVisible();
  await expectAccessible(page);

  await createTask(page, { agentType: "Developer", prompt: "Mend the login\n\nIt **fails**.", priority: 200 });
  await expect(page.getByRole("heading", { name: "Mend the login", level: 1 })).toBeVisible();
  await expect(page.getByRole("strong").filter({ hasText: "fails" }).first()).toBeVisible();

  const facts = page.getByRole("complementary", { name: "Facts" });
  await expect(facts.getByText("Dispatched", { exact: true })).toBeVisible();
  await expect(page.getByRole("cell", { name: "Worker finished" })).toBeVisible();
  await expect(facts.getByText(/\d+ in · \d+ out/)).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("link", { name: "Review: Mend the login" }).click();
  await expect(page.getByRole("heading", { name: "Review: Mend the login", level: 1 })).toBeVisible();
  await expect(page.getByRole("cell", { name: "Worker finished" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Mend the login", exact: true })).toBeVisible();
});

test("a task for the future waits in the queue where its priority puts it", async ({ page }) => {
  await signIn(page, "bob");
  await createTask(page, { agentType: "Tester", prompt: "Try the checkout", priority: -32_768 });
  await page.getByRole("link", { name: "Queue" }).click();
  await expect(page.getByRole("link", { name: "Try the checkout" }).first()).toBeVisible();
});
