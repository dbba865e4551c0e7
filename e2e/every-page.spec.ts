// Every page, in both themes, on a desk and on a phone: a title, no accessibility faults, nothing wider than the window.
// Themes differ in colours alone, and a phone's colours are the desk's: the dark phone is only photographed.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { createTask, expectAccessible, signIn } from "./pages.ts";
import { queueForTester, signInWithClient } from "./signed-in-client.ts";

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

/** More than the demo executor takes while they are looked at. */
const fullCount = 300;
const titles = [
  "Count the shelves",
  "Review the change that keeps the delivery address, which is long to say and does not fit into one line of a list",
  "راجع النص",
  "Patch the parser of uploaded spreadsheets",
];
const priorities = [32_767, 200, 100, 50, 0, -50];

interface StateUnderTest {
  /** Of its pictures. */
  name: string;
  path: string;
  /** What shows that it is there. */
  shown: string;
}

const rows = "main li input[type='checkbox']";
const fullLists: StateUnderTest[] = [
  { name: "queue-full", path: "/", shown: rows },
  { name: "tasks-full", path: "/tasks", shown: rows },
];
const nothing = "/?q=nothing-has-these-words";
const filteredLists: StateUnderTest[] = ["queue", "tasks", "agents"].map((name) => ({
  name: `${name}-filtered`,
  path: name === "queue" ? nothing : `/${name}${nothing.slice(1)}`,
  shown: "main button:has-text('Clear the')",
}));
const screensOf = (state: string, names: readonly string[], shown: string): StateUnderTest[] =>
  names.map((name) => ({ name: `${name}-${state}`, path: `/${name}`, shown }));
const slowScreens = screensOf("slow", ["tasks", "agents", "executors", "insights"], "main [aria-busy='true']");
const failingScreens = screensOf("failing", ["tasks", "insights"], "main [role='alert']");

const photograph = async (page: Page, states: readonly StateUnderTest[]): Promise<void> => {
  for (const { name, path, shown } of states)
    await test.step(name, async () => {
      await open(page, path);
      await expect(page.locator(shown).first()).toBeVisible();
      for (const size of windows) {
        await page.setViewportSize(size);
        await page.screenshot({ path: join(folder, `${name}-light-${size.width}.png`), animations: "disabled" });
      }
    });
  await expectAccessible(page);
};

test("full lists, filtered to nothing, slow and failing", async ({ browser }) => {
  test.setTimeout(120_000);
  const context = await browser.newContext({ colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  const client = await signInWithClient(page, "alice");
  await expect(page.getByRole("heading", { level: 1, name: "Queue" })).toBeVisible();
  const tasks = Array.from({ length: fullCount }, (_, n) => ({
    prompt: titles[n % titles.length] ?? "",
    priority: priorities[n % priorities.length] ?? 0,
    labels: n % 3 === 0 ? ["accessibility", "checkout"] : [],
  }));
  const ids = await queueForTester(client, tasks);
  await photograph(page, fullLists);
  await photograph(page, filteredLists);
  await client.changeTasks({ body: { ids, delete: true } });

  // What was read would stay on screen: this page has read nothing yet.
  const other = await context.newPage();
  await other.goto("/nowhere");
  await expect(other.getByRole("heading", { name: "There is no such page" })).toBeVisible();
  let isFailing = false;
  await other.route("**/api/**", (route) => (isFailing ? route.abort() : undefined));
  await photograph(other, slowScreens);
  isFailing = true;
  await photograph(other, failingScreens);
  await context.close();
});

for (const theme of themes)
  test(`every page, ${theme}`, async ({ browser }) => {
    test.setTimeout(120_000);
    const page = await openSignedIn(browser, theme);
    for (const one of pages) await test.step(one.name, () => look(page, one, theme));
    await page.context().close();
  });
