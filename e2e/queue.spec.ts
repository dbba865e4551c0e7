// The queue while it moves: two people at once, nothing that moves under the pointer, keys, and a page from the middle.
import { expect, test } from "@playwright/test";
import { type Api, openQueue } from "./pages.ts";

/** So many that the demo executor, which takes one after the other, leaves most of them; a tester's have no follow-ups. */
const fill = async ({ send }: Api, count = 300): Promise<string[]> => {
  const { items } = await send<{ items: { id: string }[] }>("GET", "/agent-types?slug=tester");
  const tasks = Array.from({ length: count }, (_, n) => ({
    prompt: `Count shelf ${n + 1}`,
    assignee_type: "agent",
    assignee: items[0]?.id,
    priority: 100,
  }));
  return (await send<{ items: { id: string }[] }>("POST", "/tasks/bulk", { tasks })).items.map(({ id }) => id);
};

test("what bob creates is announced to alice, and nothing moves under her pointer", async ({ page, browser }) => {
  const api = await openQueue(page, "alice");
  const ids = await fill(api);
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
  const added = await fill(await openQueue(await other.newPage(), "bob"), 20);
  await expect(pill).toContainText("new");
  expect(await places()).toEqual(before);
  await expect(list.getByText("Dispatched to demo-1").first()).toBeVisible();

  await page.keyboard.press("u");
  await expect(pill.filter({ hasText: "new" })).toHaveCount(0);
  expect(await places()).not.toEqual(before);
  await other.close();
  await api.send("POST", "/tasks/batch", { ids: [...ids, ...added], delete: true });
});

test("keys move through the queue to its end and open a task", async ({ page }) => {
  const api = await openQueue(page, "alice");
  const ids = await fill(api);
  const list = page.getByRole("list", { name: "Queue" });
  await expect(page.getByText(/[23]\d\d queued/)).toBeVisible();
  await page.keyboard.press("j");
  await expect(list.getByRole("link").first()).toBeFocused();
  await page.keyboard.press("j");
  await expect(list.getByRole("link").nth(1)).toBeFocused();
  await page.keyboard.press("End");
  await expect(page.getByRole("link", { name: "Count shelf 300", exact: true })).toBeVisible();
  // The address says where the list is, and leads there again.
  await expect(page).toHaveURL(/[?]at=2\d\d$/);
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
  await api.send("POST", "/tasks/batch", { ids, delete: true });
});
