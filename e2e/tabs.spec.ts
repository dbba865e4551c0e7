// Tabs of one browser and their event stream: both follow, another takes over, signing out ends both, a sleeping one catches up.
import { type BrowserContext, expect, type Page, type Request, test } from "@playwright/test";
import { createTask, signIn } from "./pages.ts";
import { signInWithClient } from "./signed-in-client.ts";

const live = (page: Page) => page.getByRole("button", { name: /^Live:/ });

/** The event streams that are open at this moment. A page that is gone, or went elsewhere, took its own along. */
const countStreams = (context: BrowserContext) => {
  const open = new Map<Request, Page>();
  const forget = (page: Page) => {
    for (const [request, of] of open) if (of === page) open.delete(request);
  };
  context.on("page", (page) => {
    page.on("close", forget);
    page.on("framenavigated", (frame) => {
      // Within the application the address changes without a load.
      if (frame === page.mainFrame() && /session\/end/.test(frame.url())) forget(page);
    });
  });
  context.on("request", (request) => {
    const isStream = request.headers()["accept"] === "text/event-stream";
    if (isStream) open.set(request, request.frame().page());
  });
  context.on("requestfinished", (request) => void open.delete(request));
  context.on("requestfailed", (request) => void open.delete(request));
  return () => open.size;
};

test("two tabs share one stream; when its tab closes the other goes on; signing out ends both", async ({ context }) => {
  const streams = countStreams(context);
  const first = await context.newPage();
  await signIn(first, "alice");
  await expect(live(first)).toBeVisible();
  const second = await context.newPage();
  await second.goto("/tasks");
  await expect(live(second)).toBeVisible();
  await expect.poll(streams).toBe(1);

  await createTask(first, { agentType: "Tester", prompt: "Seen in the other tab", priority: -32_768 });
  await expect(second.getByRole("link", { name: "Seen in the other tab" })).toBeVisible();

  const third = await context.newPage();
  await third.goto("/");
  await expect(live(third)).toBeVisible();
  await first.close();
  await expect.poll(streams).toBe(1);
  await expect(live(second)).toBeVisible();
  await createTask(third, { agentType: "Tester", prompt: "Seen after the change", priority: -32_768 });
  await expect(second.getByRole("link", { name: "Seen after the change" })).toBeVisible();

  await third.getByRole("button", { name: "Account of alice" }).click();
  await third.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(second.getByRole("heading", { name: "You are signed out" })).toBeVisible();
  await expect(third.getByRole("heading", { name: "You are signed out" })).toBeVisible();
  await expect.poll(streams).toBe(0);
});

test("what was created while the network was away or the page slept is there on waking, and nothing else has moved", async ({
  page,
  context,
}) => {
  const client = await signInWithClient(page, "alice");
  const create = async (prompts: readonly string[]) => {
    // Of a person, so that no executor takes them.
    const person = { assignee_type: "user", assignee: "alice", organization: "acme" } as const;
    await client.createTasks({ body: { tasks: prompts.map((prompt) => ({ prompt, ...person })) } });
  };
  await create(Array.from({ length: 60 }, (_, n) => `Sleeper ${n}`));
  await page.goto("/tasks?q=sleeper");
  await expect(page.getByRole("link", { name: "Sleeper 59" })).toBeVisible();
  await expect(live(page)).toBeVisible();
  for (let n = 0; n < 30; n += 1) await page.keyboard.press("j");
  const focused = page.getByRole("link", { name: "Sleeper 30" });
  await expect(focused).toBeFocused();
  const place = async () => (await focused.boundingBox())?.y;
  const before = await place();

  await context.setOffline(true);
  await expect(page.getByRole("button", { name: /^Offline:/ })).toBeVisible();
  await create(["Sleeper created while the network was away"]);
  await context.setOffline(false);
  const pill = page.getByRole("button", { name: /Show/ });
  await expect(pill).toContainText("1 new");
  await expect(live(page)).toBeVisible();

  const browser = await context.newCDPSession(page);
  await browser.send("Page.setWebLifecycleState", { state: "frozen" });
  await create(["Sleeper created while the page slept"]);
  await browser.send("Page.setWebLifecycleState", { state: "active" });
  await expect(pill).toContainText("2 new");
  await expect(focused).toBeFocused();
  expect(await place()).toBe(before);
  await page.keyboard.press("u");
  await expect(page.getByRole("link", { name: "Sleeper created while the page slept" })).toBeVisible();
});
