// What happens on the git host shows on the open page within two seconds, without a reload or a button.
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { createTask, expectAccessible, signIn } from "./pages.ts";

const promisedMs = 2_000;
const repos = join(process.env.E2E_DIR ?? "", "repos");
const personaFile = (slug: string) => join(repos, "acme/acme-agents/personas", `${slug}.md`);

/** Opens a page whose live connection stands, so that nothing but an event can make it quick. */
const openLive = async (page: Page, path: string): Promise<void> => {
  const connected = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/events");
  await signIn(page, "alice", path);
  await connected;
};

/** Expects to see it within two seconds of `write`, and says how long it took. */
const expectSoon = async (what: string, write: () => void, seen: Locator): Promise<void> => {
  const startMs = performance.now();
  write();
  await expect(seen).toBeVisible({ timeout: promisedMs });
  console.log(`${what}: ${Math.round(performance.now() - startMs)} ms`);
};

test("an edited persona shows on its open page, and its history says what changed", async ({ page }) => {
  await openLive(page, "/agents");
  await page.getByRole("link", { name: "Tester" }).click();
  await expect(page.getByRole("heading", { name: "Persona" })).toBeVisible();
  const words = "Speak like a tide table.";
  const edit = () => appendFileSync(personaFile("tester"), `\n${words}\n`);
  await expectSoon("an edited persona", edit, page.getByText(words));

  await page.getByRole("button", { name: "History" }).click();
  await page.getByRole("button", { name: "2 lines added, 0 removed" }).click();
  await expect(page.getByRole("insertion").filter({ hasText: words })).toBeVisible();
  await expectAccessible(page);
});

test("a new persona appears in the list; broken, it says where and keeps its last good version", async ({ page }) => {
  await openLive(page, "/agents");
  await expect(page.getByRole("link", { name: "Tester" })).toBeVisible();
  const file = personaFile("night-watch");
  const persona =
    "---\nname: Night Watch\ndescription: Looks after what runs at night.\n---\n\n# Role\n\nYou stay awake.\n";
  const listed = page.getByRole("link", { name: "Night Watch" });
  await expectSoon("a new persona", () => writeFileSync(file, persona), listed);

  const refused = page.getByRole("alert", { name: /^Refused/ });
  const finding = refused.filter({ hasText: "personas/night-watch.md" });
  await expectSoon("a refused file", () => writeFileSync(file, "You stay awake.\n"), finding);
  await expect(finding.getByRole("link", { name: /^Line 1 of/ })).toBeVisible();
  await expect(listed).toBeVisible();
  await expectAccessible(page);
  await listed.click();
  await expect(page.getByText("You stay awake.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Role" })).toBeVisible();

  rmSync(file);
});

test("a linked issue is read at once, and its card follows what becomes of it", async ({ page }) => {
  const folder = join(repos, "acme/webshop/issues");
  mkdirSync(folder, { recursive: true });
  const write = (state: string) =>
    writeFileSync(join(folder, "4100.yml"), `title: The cart forgets\nstate: ${state}\nlabels: [bug]\n`);
  write("open");
  await openLive(page, "/");
  await createTask(page, { agentType: "Tester", prompt: "Look at the cart", priority: -32_768 });

  const card = page.getByRole("region", { name: "Git" });
  await card.getByRole("button", { name: "Link an issue or pull request" }).click();
  const field = page.getByRole("textbox", { name: "Address of the issue or pull request" });
  const example = await field.getAttribute("placeholder");
  await field.fill(`${example?.replace("/owner/repo/issues/1", "")}/acme/webshop/issues/4100`);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(card.getByText("Open issue")).toBeVisible();
  await expect(card.getByRole("link", { name: "The cart forgets" })).toBeVisible();
  await expectAccessible(page);

  await expectSoon("a closed issue", () => write("closed"), card.getByText("Closed issue"));
  await expect(page.getByText("saw that the linked issue is closed")).toBeVisible();
  await page.getByRole("link", { name: "Tasks", exact: true }).click();
  await expect(page.getByRole("img", { name: "Closed issue acme/webshop#4100" })).toBeVisible();
});
