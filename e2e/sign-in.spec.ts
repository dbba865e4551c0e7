// Signing in and out through the identity provider, and being told that one is not a member.
import { expect, test } from "@playwright/test";
import { expectAccessible, signIn } from "./pages.ts";

test("alice signs in, comes back to the page she asked for, and signs out", async ({ page }) => {
  await signIn(page, "alice", "/organizations");
  await expect(page.getByRole("heading", { name: "Organizations", level: 1 })).toBeVisible();
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toMatch(/eyJ/);

  await page.getByRole("button", { name: "alice" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByLabel("Password")).toBeVisible();
});

test("a wrong password is refused in words", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Username").fill("alice");
  await page.getByLabel("Password").fill("bob");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
});

test("mallory is told that she is not a member, and what to do", async ({ page }) => {
  await signIn(page, "mallory");
  await expect(page.getByText("You are not a member of «task-service»")).toBeVisible();
  await expect(page.getByText("mallory").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign in as someone else" }).click();
  await expect(page.getByLabel("Password")).toBeVisible();
});
