// Tokens that run out and a session that ends, each in the middle of a form: nothing is lost.
import { expect, type Page, test } from "@playwright/test";
import { signIn } from "./pages.ts";

/** Long after a token is over, with the refresh token revoked by the provider: its session was ended elsewhere. */
const endSession = async (page: Page): Promise<void> => {
  const elsewhere = await page.context().newPage();
  const { oidc } = (await (await elsewhere.request.get("/config.json")).json()) as { oidc: { issuer: string } };
  await elsewhere.goto(`${oidc.issuer}/session/end`);
  await expect(elsewhere.getByRole("heading", { name: "You are signed out" })).toBeVisible();
  await elsewhere.close();
  await page.clock.fastForward("01:00:00");
};

const signInAgain = async (page: Page, name: string): Promise<void> => {
  await expect(page.getByRole("dialog", { name: "Your session has ended" })).toBeVisible();
  const opening = page.context().waitForEvent("page");
  await page.getByRole("button", { name: "Sign in again" }).click();
  const beside = await opening;
  await beside.getByLabel("Username").fill(name);
  await beside.getByLabel("Password").fill(name);
  await beside.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("dialog", { name: "Your session has ended" })).toHaveCount(0);
  await expect.poll(() => beside.isClosed()).toBe(true);
};

test("the session ends while a task is written and while one is changed; nothing is lost", async ({ page }) => {
  await page.clock.install();
  await signIn(page, "alice", "/tasks/new");
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await prompt.fill("Written across a sign-in");
  await page.getByRole("combobox", { name: "Agent type" }).click();
  await page.getByRole("option", { name: /^Tester/ }).click();
  await endSession(page);
  await signInAgain(page, "alice");
  await expect(prompt).toHaveValue("Written across a sign-in");
  await page.getByRole("textbox", { name: "Priority number" }).fill("-32768");
  await page.getByRole("button", { name: "Create task" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Written across a sign-in" })).toBeVisible();

  await page.getByRole("button", { name: "Edit title" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Changed across a sign-in");
  await endSession(page);
  await signInAgain(page, "alice");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Changed across a sign-in" })).toBeVisible();
});

test("a token runs out while a task is written, with the provider away; it is renewed once it is back", async ({
  page,
}) => {
  const refreshTokens: string[] = [];
  page.on("response", (response) => {
    if (!response.url().endsWith("/token")) return;
    const refreshToken = new URLSearchParams(response.request().postData() ?? "").get("refresh_token");
    if (refreshToken) refreshTokens.push(refreshToken);
  });
  await signIn(page, "ebba", "/tasks/new");
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await prompt.fill("Written across three tokens");
  await page.getByRole("combobox", { name: "Agent type" }).click();
  await page.getByRole("option", { name: /^Tester/ }).click();
  await page.getByRole("textbox", { name: "Priority number" }).fill("-32768");
  await expect.poll(() => refreshTokens.length).toBeGreaterThan(1);

  await page.route("**/token", (route) => route.abort());
  // Renewed long before it is over; only without a token that is good nothing is answered any more.
  await expect(page.getByRole("button", { name: /^Offline:/ })).toBeVisible({ timeout: 30_000 });
  await page.getByRole("button", { name: "Create task" }).click();
  await expect(page.getByText("The task was not created")).toBeVisible();
  await expect(prompt).toHaveValue("Written across three tokens");
  await page.unroute("**/token");
  await page.getByRole("button", { name: "Create task" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Written across three tokens" })).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Your session has ended" })).toHaveCount(0);
  expect(new Set(refreshTokens).size).toBeGreaterThan(2);
});

test("while the provider is away nobody gets in, and a click tries again", async ({ page }) => {
  await page.route("**/.well-known/openid-configuration", (route) => route.abort());
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "The identity provider cannot be reached" })).toBeVisible();
  await page.unroute("**/.well-known/openid-configuration");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByLabel("Username")).toBeVisible();
});
