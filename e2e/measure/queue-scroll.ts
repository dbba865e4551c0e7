// Measures the queue's screen at 100,000 queued tasks against a running `npm start -- --bare`: first row, frames while scrolling, keys.
// node e2e/measure/queue-scroll.ts [http://localhost:18600] [100000]: takes about three minutes, leaves the tasks there.

import { chromium, type Page } from "@playwright/test";
import { type AgentTypeSummary, type Client, maxBulkTasks } from "@task-service/contract";
import { acmeAgentTypes, signInWithClient } from "../signed-in-client.ts";

const [origin = "http://localhost:18600", size = "100000"] = process.argv.slice(2);
const priorities = [100, 50, 0, 0, 0, 0, 0, 0, 0, -50];
const wheelPx = 2_000;
const longFrameMs = 50;

const say = (words: string): void => void process.stdout.write(`${words}\n`);
const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
const frameWords = (frames: readonly number[]): string =>
  `${frames.length} frames, ${frames.filter((ms) => ms > longFrameMs).length} over ${longFrameMs} ms, ` +
  `median ${quantile(frames, 0.5).toFixed(0)} ms, p99 ${quantile(frames, 0.99).toFixed(0)} ms, longest ${Math.max(...frames).toFixed(0)} ms`;

/** Queues tasks of all priorities until so many wait. */
const fill = async (client: Client, wanted: number): Promise<void> => {
  const items = await acmeAgentTypes(client);
  const nth = (n: number) => items[n % items.length] as AgentTypeSummary;
  const { count } = await client.countTasks({ query: { state: "queued", assignee_type: "agent" } });
  for (let n = count; n < wanted; n += maxBulkTasks) {
    const tasks = Array.from({ length: Math.min(maxBulkTasks, wanted - n) }, (_, index) => ({
      prompt: `Look at part ${n + index} of the archive\n\nSay what is in it and whether it is still needed.`,
      assignee_type: "agent" as const,
      assignee: nth(n + index).id,
      priority: priorities[(n + index) % priorities.length] ?? 0,
      labels: index % 3 === 0 ? ["archive"] : [],
    }));
    await client.createTasks({ body: { tasks } });
  }
};

/** Runs in the page: notes the time of each frame until it is told to stop. */
const meter = `(() => {
  const kept = (window.frameMeter = { frames: [], isOver: false });
  let before = performance.now();
  const look = (now) => {
    kept.frames.push(now - before);
    before = now;
    if (!kept.isOver) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

/** The time between frames while `act` runs. */
const framesDuring = async (page: Page, act: () => Promise<unknown>): Promise<number[]> => {
  await page.evaluate(meter);
  await act();
  const frames = await page.evaluate<number[]>("(window.frameMeter.isOver = true, window.frameMeter.frames)");
  return frames.slice(2);
};

/** From the key until the row that it moves to has the focus and a frame has shown it. */
const keyMs = (page: Page, key: string): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const before = document.activeElement;
    const start = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "${key}", bubbles: true }));
    while (document.activeElement === before) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now() - start;
  })()`);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } });
const page = await context.newPage();
const client = await signInWithClient(page, "alice");
const rows = page.getByRole("list", { name: "Queue" }).getByRole("link");
await page.getByRole("heading", { name: "Queue", level: 1 }).waitFor();
await fill(client, Number(size));
say(`${size} tasks are queued`);

// The session at the provider stands: only the way back and the screen itself are left of signing in.
await page.goto("about:blank");
const arrivedAt = new Promise<number>((resolve) => {
  page.on("framenavigated", (frame) => frame.url().includes("code=") && resolve(performance.now()));
});
await page.goto("/");
await rows.first().waitFor();
say(`from the return of signing in to the first row: ${(performance.now() - (await arrivedAt)).toFixed(0)} ms`);

const times: number[] = [];
for (let n = 0; n < 20; n++) times.push(await keyMs(page, n < 12 ? "j" : "k"));
say(`from key to screen: median ${quantile(times, 0.5).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`);

await page.mouse.move(700, 500);
const pxLeft = () =>
  page.evaluate<number>("document.documentElement.scrollHeight - window.innerHeight - window.scrollY");
const slow = await framesDuring(page, async () => {
  for (let n = 0; n < 60; n++) await page.mouse.wheel(0, 240);
});
say(`reading speed: ${frameWords(slow)}`);
const whole = await framesDuring(page, async () => {
  while ((await pxLeft()) > 1) await page.mouse.wheel(0, wheelPx);
});
say(`from top to end, ${wheelPx} px a turn of the wheel: ${frameWords(whole)}`);
const endAt = performance.now();
await page
  .getByRole("list", { name: "Queue" })
  .getByText(Number(size).toLocaleString("en"), { exact: true })
  .or(rows.last())
  .first()
  .waitFor();
say(`the last rows after ${(performance.now() - endAt).toFixed(0)} ms`);

await page.keyboard.press("Home");
const jumpAt = performance.now();
await page.keyboard.press("End");
await rows.nth(5).waitFor();
say(`End: rows after ${(performance.now() - jumpAt).toFixed(0)} ms`);
await browser.close();
