// All tasks in a real browser: filters that survive a reload, changes to many by keyboard alone, and a deletion that asks.
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./pages.ts";
import { signInWithClient } from "./signed-in-client.ts";

const list = (page: Page) => page.getByRole("list", { name: "Tasks", exact: true });
const priorities = (page: Page) => list(page).getByRole("img", { name: /^Priority/ });

/** Signs in at all tasks and creates some for a person: nobody but the test does anything with them. */
const openWithTasks = async (page: Page, label: string, titles: readonly string[]): Promise<void> => {
  const client = await signInWithClient(page, "alice", "/tasks");
  const tasks = titles.map((prompt, priority) => ({
    prompt,
    priority,
    organization: "acme",
    assignee_type: "user" as const,
    assignee: "carol",
    labels: [label],
  }));
  await client.createTasks({ body: { tasks } });
  await expect(page.getByRole("searchbox", { name: "Search tasks" })).toBeVisible();
};

test("what is filtered and searched for stands in the address, and a reload shows the same", async ({ page }) => {
  await openWithTasks(page, "orchard", ["Prune the walnut", "Water the walnut", "Prune the pear"]);

  await page.keyboard.press("/");
  await page.keyboard.type("walnut");
  await expect(page).toHaveURL(/\?q=walnut$/);
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Find a filter" })).toBeFocused();
  await page.keyboard.type("orchard");
  await page.getByRole("group", { name: "Label" }).getByRole("option", { name: "orchard" }).click();
  await expect(page).toHaveURL(/label=orchard/);
  await expect(list(page).getByRole("link")).toHaveText(["Water the walnut", "Prune the walnut"]);

  await page.reload();
  await expect(list(page).getByRole("link")).toHaveText(["Water the walnut", "Prune the walnut"]);
  await expect(page.getByRole("searchbox", { name: "Search tasks" })).toHaveValue("walnut");
  await expect(page.getByRole("list", { name: "Chosen filters" })).toHaveText("Label: orchard");
  await expectAccessible(page);

  await page.getByRole("button", { name: "Clear all" }).click();
  await expect(page).toHaveURL(/\/tasks$/);
  await expect(page.getByRole("list", { name: "Chosen filters" })).toBeHidden();
  // Searched for, as it may stand far below what others have created.
  await page.getByRole("searchbox", { name: "Search tasks" }).fill("pear");
  await expect(list(page).getByRole("link", { name: "Prune the pear" })).toBeVisible();
});

test("the widest priority has room beside the title, in a wide window and on a phone", async ({ page }) => {
  await openWithTasks(page, "deep", ["Dig the well"]);
  await page.goto("/tasks?q=well");
  const priority = priorities(page).first();
  await list(page).getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Priority", exact: true }).click();
  await page.getByRole("textbox", { name: "Priority" }).fill("-32768");
  await page.keyboard.press("Enter");
  await expect(priority).toHaveText("-32768");
  const room = async () => {
    const mark = await priority.boundingBox();
    const wordsPx = await priority.evaluate(({ scrollWidth }) => scrollWidth);
    const title = await list(page).getByRole("link").first().boundingBox();
    return (title?.x ?? 0) - (mark?.x ?? 0) - wordsPx;
  };
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(room).toBeGreaterThanOrEqual(8);
  }
});

test("by keyboard alone: three are selected, changed, undone and, once asked, deleted", async ({ page }) => {
  await openWithTasks(page, "harvest", ["Pick the plums", "Pick the figs", "Pick the quinces", "Rest"]);
  await page.keyboard.press("/");
  await page.keyboard.type("pick");
  await expect(list(page).getByRole("link")).toHaveText(["Pick the quinces", "Pick the figs", "Pick the plums"]);
  await page.keyboard.press("Escape");
  await page.keyboard.type("pick");
  await expect(page).toHaveURL(/q=pick/);
  await page.keyboard.press("Tab");
  for (const key of ["j", "x", "j", "j", "X"]) await page.keyboard.press(key);
  await expect(page.getByText("3 selected")).toBeVisible();

  await page.keyboard.press("p");
  await expect(page.getByRole("textbox", { name: "Priority" })).toBeFocused();
  await page.keyboard.type("75");
  await page.keyboard.press("Enter");
  await expect(priorities(page)).toHaveText(["75", "75", "75"]);
  await expect(page.getByText("3 tasks set to priority 75")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("z");
  await expect(priorities(page)).toHaveText(["2", "1", "0"]);

  await page.getByRole("button", { name: "Delete", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Delete 3 tasks?" })).toContainText("There is no undo");
  await expect(page.getByRole("button", { name: "Keep them" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("3 tasks deleted")).toBeVisible();
  await expect(page.getByText("3 selected")).toBeHidden();
});
