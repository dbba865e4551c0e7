// Who is connected: the demo executor is seen, and serves everybody.
import { expect, test } from "@playwright/test";
import { expectAccessible, signIn } from "./pages.ts";

test.use({ colorScheme: "dark" });

test("the executor that runs is listed with what it does; the keys lead there", async ({ page }) => {
  await signIn(page, "alice");
  await expect(page.getByRole("heading", { name: "Queue", level: 1 })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await expect(page.getByRole("heading", { name: "Executors", level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(/^Executors/);
  const demo = page.getByRole("listitem", { name: "demo-1" });
  await expect(demo).toContainText("every agent type");
  await expect(demo).toContainText(/Working|Waiting for a task/);
  await expectAccessible(page);
});
