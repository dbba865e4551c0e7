// Who is connected: the demo executor is seen, and serves everybody; a phone leads there behind "More".
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

test("a phone's bar leads to every screen, and shows which one is open", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, "alice");
  const more = page.getByRole("button", { name: "More" });
  await more.click();
  const screens = page.getByRole("list", { name: "More screens" });
  await expect(screens.getByRole("link")).toHaveText(["Organizations", "Executors", "Insights", "Take a task"]);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(screens).toBeHidden();
  await expect(more).toBeFocused();

  await expect(more).toHaveCSS("font-weight", "400");
  await more.click();
  await screens.getByRole("link", { name: "Executors" }).click();
  await expect(page.getByRole("heading", { name: "Executors", level: 1 })).toBeFocused();
  await expect(screens).toBeHidden();
  await expect(more).toHaveCSS("font-weight", "600");
});
