// The task page and a new task in a real browser: two people at once, drafts of a closed tab, hostile text, no mouse.
import { expect, type Page, test } from "@playwright/test";
import { createTask, expectAccessible, signIn } from "./pages.ts";

const lowest = -32_768;

const openTask = async (page: Page, name: string, path: string) => {
  await signIn(page, name, path);
  await expect(page.getByRole("region", { name: "Prompt" })).toBeVisible();
};

/** A task of a person: no executor takes it while it is looked at. */
const createForBob = async (page: Page, prompt: string, title = "") => {
  await page.getByRole("link", { name: "New task" }).first().click();
  await page.getByText("Person", { exact: true }).click();
  await page.getByRole("textbox", { name: "Person" }).fill("bob");
  // Where there is only one organization it is chosen already, and choosing it again changes nothing.
  await page.getByRole("combobox", { name: "Organization" }).click();
  await page.getByRole("option", { name: "Acme", exact: true }).click();
  await page.getByRole("textbox", { name: "Prompt" }).fill(prompt);
  if (title) await page.getByRole("textbox", { name: "Title" }).fill(title);
  await page.getByRole("button", { name: "Create task" }).click();
  await page.waitForURL(/\/tasks\/[0-9a-f-]{36}$/);
};

test("two people edit the same task: both texts are shown, and notes appear with the other", async ({
  page,
  browser,
}) => {
  await signIn(page, "alice");
  await createForBob(page, "Agree on a name");
  const { pathname } = new URL(page.url());
  const other = await (await browser.newContext()).newPage();
  await openTask(other, "bob", pathname);

  await page.getByRole("button", { name: "Edit title" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("The name of alice");
  await other.getByRole("button", { name: "Edit title" }).click();
  await other.getByRole("textbox", { name: "Title" }).fill("The name of bob");
  await other.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("bob changed the title meanwhile")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("The name of alice");

  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog", { name: "The task has changed since you opened it" });
  await expect(dialog.getByRole("region", { name: "Your title" })).toHaveText(/The name of alice/);
  await expect(dialog.getByRole("region", { name: "The title now" })).toHaveText(/The name of bob/);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save mine over it" }).click();
  await expect(other.getByRole("heading", { level: 1, name: "The name of alice" })).toBeVisible();

  await page.getByRole("textbox", { name: "New note" }).fill("Settled: **mine**");
  await page.getByRole("button", { name: "Leave note" }).click();
  await expect(other.getByRole("list", { name: "Notes, newest first" }).getByText("mine")).toBeVisible();
  await other.context().close();
});

test("a draft survives its tab, and two tabs have one each", async ({ page, context }) => {
  await signIn(page, "alice", "/tasks/new");
  const prompt = (tab: Page) => tab.getByRole("textbox", { name: "Prompt" });
  await prompt(page).fill("The first draft");
  const second = await context.newPage();
  await second.goto("/tasks/new");
  await expect(prompt(second)).toHaveValue("");
  await prompt(second).fill("The second draft");
  await expect(prompt(page)).toHaveValue("The first draft");
  await second.close();
  await page.reload();
  await expect(prompt(page)).toHaveValue("The first draft");

  const third = await context.newPage();
  await third.goto("/tasks/new");
  await expect(third.getByText("You left this unfinished")).toBeVisible();
  await expect(prompt(third)).toHaveValue("The second draft");
  await expectAccessible(third);
});

/** Drops files on the prompt, each with as many bytes of its own kind. */
const drop = async (page: Page, files: { name: string; bytes: number; fill: number }[]) => {
  const dataTransfer = await page.evaluateHandle(`${JSON.stringify(files)}.reduce((transfer, { name, bytes, fill }) => {
    transfer.items.add(new File([new Uint8Array(bytes).fill(fill)], name, { type: "text/plain" }));
    return transfer;
  }, new DataTransfer())`);
  await page.getByRole("textbox", { name: "Prompt" }).dispatchEvent("drop", { dataTransfer });
};

test("files dropped on the prompt: text is taken, what is too long or no text is refused by name", async ({ page }) => {
  const letter = "a".charCodeAt(0);
  await signIn(page, "alice", "/tasks/new");
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await prompt.fill("Look at these");
  await drop(page, [{ name: "build.log", bytes: 10_000, fill: letter }]);
  await expect(prompt).toHaveValue(`Look at these\n\n\`build.log\`\n\n\`\`\`log\n${"a".repeat(10_000)}\n\`\`\`\n`);
  await drop(page, [{ name: "dump.log", bytes: 20_000_000, fill: letter }]);
  await expect(page.getByText(/^dump\.log is too long: there is room for [\d,]+ characters\.$/)).toBeVisible();
  await drop(page, [
    { name: "photo.txt", bytes: 100, fill: 0xff },
    { name: "b.txt", bytes: 3, fill: letter + 1 },
    { name: "c.txt", bytes: 3, fill: letter + 2 },
  ]);
  await expect(page.getByText("photo.txt is not a text file: only text in UTF-8 can be added.")).toBeVisible();
  await expect(page.getByText(/^dump\.log/)).toHaveCount(0);
  await expect(prompt).toHaveValue(/`b\.txt`\n\n```txt\nbbb\n```\n\n`c\.txt`\n\n```txt\nccc\n```\n$/);
});

test("a new task by keyboard alone", async ({ page }) => {
  await signIn(page, "alice");
  await expect(page.getByRole("heading", { level: 1, name: "Queue" })).toBeVisible();
  await page.keyboard.press("c");
  await expect(page.getByRole("combobox", { name: "Agent type" })).toBeFocused();
  await page.keyboard.type("tests");
  await expect(page.getByRole("option", { name: /^Tester/ })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Agent type" })).toHaveValue("Tester");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("textbox", { name: "Prompt" })).toBeFocused();
  await page.keyboard.type("Written without a mouse");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Written without a mouse" })).toBeFocused();
});

test("hostile text does nothing, asks nobody, and keeps to the page", async ({ page }) => {
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (hostname !== "localhost" && protocol !== "data:" && protocol !== "blob:") elsewhere.push(request.url());
  });
  const columns = Array.from({ length: 60 }, (_, column) => `column ${column}`);
  const prompt = [
    "Hostile\n\n<script>window.hacked = 1; fetch('https://evil.example/')</script>",
    '<img src=x onerror="window.hacked = 2"> <svg onload="window.hacked = 3"></svg> <iframe src="https://evil.example/"></iframe>',
    "[script](javascript:window.hacked=4) [data](data:text/html,<script>window.hacked=5</script>)",
    "![pixel](https://evil.example/pixel.png) <!-- a comment --> https://evil.example/auto <base href='https://evil.example/'>",
    `|${columns.join("|")}|\n|${"-|".repeat(columns.length)}\n|${columns.join("|")}|`,
    `${"> ".repeat(25)}deep\n\n\u202eesrever`,
    "x".repeat(8_000),
    "the very end",
  ].join("\n\n");
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, "alice");
  await createForBob(page, prompt, `<img src=x onerror=window.hacked=6> \u202e${"W".repeat(120)}`);
  await expect(page.getByText("the very end").first()).toBeVisible();
  await page.getByRole("link", { name: "Duplicate" }).click();
  await expect(page.getByRole("textbox", { name: "Prompt" })).toHaveValue(prompt);
  await page.getByRole("tab", { name: "Preview" }).click();
  await expect(page.getByRole("tabpanel").getByText("the very end")).toBeVisible();
  await page.goBack();
  await expect(page.getByText("the very end").first()).toBeVisible();

  const widths = await page.evaluate<number[]>("[document.documentElement.scrollWidth, window.innerWidth]");
  expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
  expect(await page.evaluate("'hacked' in window")).toBe(false);
  const links = await page.locator("main a").evaluateAll((all) => all.map((link) => (link as unknown as URL).protocol));
  expect(links.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([]);
  expect(elsewhere).toEqual([]);
  await expectAccessible(page);
});

test("on paper everything is unfolded and nothing can be pressed", async ({ page }) => {
  await signIn(page, "alice");
  await createForBob(page, `Print me\n\n${"word ".repeat(6_000)}\n\nthe last word`);
  await expect(page.getByText("the last word")).toHaveCount(0);
  await page.emulateMedia({ media: "print" });
  await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
  await expect(page.getByText("the last word")).toBeVisible();
  await expect(page.getByRole("navigation")).toBeHidden();
  await expect(page.getByRole("button", { name: "Delete" })).toBeHidden();
});

test("a dispatch opens the persona it was handed over with", async ({ page }) => {
  await signIn(page, "alice");
  await createTask(page, { agentType: "Tester", prompt: "Wait a little", priority: lowest });
  const facts = page.getByRole("complementary", { name: "Facts" });
  await expect(facts.getByText("Dispatched", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Persona of attempt 1" }).click();
  const dialog = page.getByRole("dialog", { name: "The persona of attempt 1" });
  await expect(dialog.getByRole("heading", { name: "Workflow" })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByText("Changes since").click();
  await expect(dialog.getByText(/has not changed since|Since then/)).toBeVisible();
});
