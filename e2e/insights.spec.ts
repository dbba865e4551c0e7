// The insights: each chart has its table and leads to the tasks behind it, in both themes and on a phone.
import { expect, test } from "@playwright/test";
import { expectAccessible, signIn } from "./pages.ts";

for (const colorScheme of ["light", "dark"] as const)
  test(`charts have tables, and the address keeps what is looked at (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await signIn(page, "alice", "/insights");
    const dispatched = page.getByRole("region", { name: /^Dispatched tasks each/ });
    await expect(dispatched).toContainText(/[1-9]\d* tasks? (was|were) dispatched/);
    await expectAccessible(page);

    await page.getByRole("radio", { name: "3 hours" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL(/range=7d/);
    await page.reload();
    await expect(page.getByRole("radio", { name: "7 days" })).toBeChecked();

    await dispatched.getByRole("button", { name: "Show as table" }).click();
    await expect(dispatched.getByRole("table")).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(dispatched.getByRole("table")).toBeVisible();
    expect(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });
