// Agent types follow their repository on the screen, and an organization without one says what to do.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { expectAccessible, signIn } from "./pages.ts";

test("an edited persona shows without anybody pressing a button", async ({ page }) => {
  await signIn(page, "alice", "/agents");
  await page.getByRole("link", { name: /Planner/ }).click();
  await expect(page.getByRole("heading", { name: "Workflow" })).toBeVisible();
  await expectAccessible(page);

  const file = join(process.env.E2E_DIR ?? "", "repos/acme/acme-agents/personas/planner.md");
  appendFileSync(file, "\nSpeak like a lighthouse keeper.\n");
  await expect(page.getByText("Speak like a lighthouse keeper.")).toBeVisible();
});

test("an organization without a repository says which one to create", async ({ page }) => {
  await signIn(page, "alice", "/organizations");
  await page.getByRole("button", { name: "New organization" }).first().click();
  await page.getByRole("textbox", { name: "Slug" }).fill("globex");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await expect(page.getByText(/No agent types are configured/).first()).toBeVisible();
  await expect(page.getByText("globex-agents").first()).toBeVisible();
  await expectAccessible(page);
});
