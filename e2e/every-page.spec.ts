// Every page, in both themes, on a desk and on a phone: a title, no accessibility faults, nothing wider than the window.
// Themes differ in colours alone, and a phone's colours are the desk's: the dark phone is only photographed.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { createTask, expectAccessible, signIn } from "./pages.ts";

interface PageUnderTest {
  name: string;
  /** Where it is, or how to get there by a link on the page before. */
  path: string | ((page: Page) => Promise<string>);
  heading: string | RegExp;
}

const linkOn = (list: string, name: RegExp) => async (page: Page) => {
  await open(page, list);
  return (await page.getByRole("main").getByRole("link", { name }).first().getAttribute("href")) ?? list;
};

/** Extended with every new page. */
const pages: PageUnderTest[] = [
  { name: "queue", path: "/", heading: "Queue" },
  { name: "tasks", path: "/tasks", heading: /tasks/i },
  { name: "new-task", path: "/tasks/new", heading: "New task" },
  { name: "task", path: linkOn("/tasks", /Look at every page/), heading: "Look at every page" },
  { name: "agents", path: "/agents", heading: "Agents" },
  { name: "agent-type", path: linkOn("/agents", /Planner/), heading: "Planner" },
  { name: "organizations", path: "/organizations", heading: "Organizations" },
  { name: "executors", path: "/executors", heading: "Executors" },
  { name: "insights", path: "/insights", heading: "Insights" },
  { name: "take-a-task", path: "/respond", heading: /task/i },
  { name: "not-found", path: "/nowhere", heading: "There is no such page" },
];

const themes = ["light", "dark"] as const;
const windows = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const folder = join(import.meta.dirname, "test-results", "screens");

/** As the application does it: a load would go through the identity provider. */
const open = (page: Page, path: string): Promise<void> =>
  page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`);

const look = async (page: Page, { name, path, heading }: PageUnderTest, theme: string): Promise<void> => {
  await open(page, typeof path === "string" ? path : await path(page));
  await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  await expect(page.locator("[aria-busy='true']")).toHaveCount(0);
  // A field that has the focus opens its list, which scrolls with the arrow keys: axe knows no such region.
  await page.keyboard.press("Escape");
  expect(await page.title()).toMatch(/^.+ · Tasks$/);
  for (const size of windows) {
    await page.setViewportSize(size);
    await page.screenshot({ path: join(folder, `${name}-${theme}-${size.width}.png`), animations: "disabled" });
    const excess = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    expect(excess, `${name} at ${size.width} px is wider than the window`).toBeLessThanOrEqual(0);
    if (size.width > 1_000 || theme === "light") await expectAccessible(page);
  }
};

const openSignedIn = async (browser: Browser, colorScheme: (typeof themes)[number]): Promise<Page> => {
  const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  await signIn(page, "alice");
  await expect(page.getByRole("heading", { level: 1, name: "Queue" })).toBeVisible();
  return page;
};

test.beforeAll(async ({ browser }) => {
  mkdirSync(folder, { recursive: true });
  const page = await openSignedIn(browser, "light");
  const prompt = "Look at every page\n\n# Why\n\n- a **list**\n- with `code`\n\n| a | table |\n| - | - |\n| 1 | 2 |\n";
  await createTask(page, { agentType: "Tester", prompt, priority: -32_768 });
  await page.context().close();
});

for (const theme of themes)
  test(`every page, ${theme}`, async ({ browser }) => {
    test.setTimeout(120_000);
    const page = await openSignedIn(browser, theme);
    for (const one of pages) await test.step(one.name, () => look(page, one, theme));
    await page.context().close();
  });
