// The queue while it moves: two people at once, nothing that moves under the pointer, keys, and a page from the middle.
import { expect, test } from "@playwright/test";
import type { Client } from "@task-service/contract";
import { queueForTester, signInWithClient } from "./signed-in-client.ts";

/** So many that the demo executor, which takes one after the other, leaves most of them. */
const fill = (client: Client, count = 300): Promise<string[]> =>
  queueForTester(
    client,
    Array.from({ length: count }, (_, n) => ({ prompt: `Count shelf ${n + 1}`, priority: 100 })),
  );

test("what bob creates is announced to alice, and nothing moves under her pointer", async ({ page, browser }) => {
  const client = await signInWithClient(page, "alice");
  const ids = await fill(client);
  const list = page.getByRole("list", { name: "Queue" });
  await expect(list.getByRole("link").nth(8)).toBeVisible();
  await list.hover({ position: { x: 400, y: 100 } });
  const pill = page.getByRole("button", { name: /Show/ });
  await expect(pill).toContainText("dispatched");
  const places = () =>
    list
      .getByRole("link")
      .evaluateAll((links) => links.slice(0, 8).map((link) => [link.textContent, link.getBoundingClientRect().y]));
  const before = await places();

  const other = await browser.newContext();
  const added = await fill(await signInWithClient(await other.newPage(), "bob"), 20);
  await expect(pill).toContainText("new");
  expect(await places()).toEqual(before);
  await expect(list.getByText("Dispatched to demo-1").first()).toBeVisible();

  await page.keyboard.press("u");
  await expect(pill.filter({ hasText: "new" })).toHaveCount(0);
  expect(await places()).not.toEqual(before);
  await other.close();
  await client.changeTasks({ body: { ids: [...ids, ...added], delete: true } });
});

test("keys move through the queue to its end and open a task", async ({ page }) => {
  const client = await signInWithClient(page, "alice");
  const ids = await fill(client);
  const list = page.getByRole("list", { name: "Queue" });
  await expect(list.getByRole("link", { name: /^Count shelf/ }).nth(1)).toBeVisible();
  await page.keyboard.press("j");
  await expect(list.getByRole("link").first()).toBeFocused();
  await page.keyboard.press("j");
  await expect(list.getByRole("link").nth(1)).toBeFocused();
  await page.keyboard.press("End");
  await expect(page.getByRole("link", { name: "Count shelf 300", exact: true })).toBeVisible();
  // The address says where the list is, however much of it was taken meanwhile, and leads there again.
  await expect(page).toHaveURL(/[?]at=\d+$/);
  await page.reload();
  await expect(page.getByRole("link", { name: "Count shelf 300", exact: true })).toBeInViewport();
  await page.keyboard.press("End");
  await page.keyboard.press("k");
  await expect(list.getByRole("link", { name: /^Count shelf/ }).last()).toBeVisible();
  await page.keyboard.press("Home");
  await expect(page.getByRole("heading", { name: "Queue", level: 1 })).toBeInViewport();
  await expect(list.getByRole("link").first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: /Count shelf/ })).toBeVisible();
  await client.changeTasks({ body: { ids, delete: true } });
});
