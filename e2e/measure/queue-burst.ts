// Measures how often the queue's screen is drawn anew while thousands of tasks a second are created, against a running `npm start` or `npm start -- --bare`.
// node e2e/measure/queue-burst.ts [http://localhost:18600] [10]: takes so many seconds and some, deletes nothing.

import { chromium } from "@playwright/test";
import { maxBulkTasks } from "@task-service/contract";
import { acmeAgentTypes, signInWithClient } from "../signed-in-client.ts";

const [origin = "http://localhost:18600", seconds = "10"] = process.argv.slice(2);
const lastingMs = Number(seconds) * 1_000;
/** Requests under way at once. */
const writers = 4;

const say = (words: string): void => void process.stdout.write(`${words}\n`);

/** Runs in the page: notes when something to be seen in it changes, and how long it was busy without a break. */
const meter = `(() => {
  const kept = (window.burstMeter = { list: [], screen: [], busy: [] });
  // React takes the attributes of fields away and sets them again where they stay the same.
  const isSeen = ({ type, target }) => type !== "attributes" || target.tagName !== "INPUT";
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  const watch = (element, times) =>
    new MutationObserver((changes) => changes.some(isSeen) && times.push(performance.now())).observe(element, all);
  watch(document.querySelector("[aria-label=Queue]"), kept.list);
  watch(document.body, kept.screen);
  const hear = (list) => kept.busy.push(...list.getEntries().map(({ duration }) => duration));
  new PerformanceObserver(hear).observe({ type: "longtask" });
})()`;

interface Kept {
  list: number[];
  screen: number[];
  busy: number[];
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
const page = await browser.newPage({ baseURL: origin, viewport: { width: 1440, height: 900 } });
const client = await signInWithClient(page, "alice");
const items = await acmeAgentTypes(client);
const create = (count: number) => {
  const tasks = Array.from({ length: count }, (_, n) => ({
    prompt: `Burst ${n}`,
    assignee_type: "agent" as const,
    assignee: items[n % items.length]?.id ?? "",
    priority: 100 - (n % 3),
  }));
  return client.createTasks({ body: { tasks } });
};

await create(maxBulkTasks);
await page.getByRole("list", { name: "Queue" }).getByRole("link").first().waitFor();
await page.getByRole("button", { name: /^Live:/ }).waitFor();
let asked = 0;
page.on("request", (request) => {
  if (request.url().includes("/api/")) asked += 1;
});

await page.evaluate(meter);
const startedAt = performance.now();
let created = 0;
const write = async () => {
  while (performance.now() - startedAt < lastingMs) {
    await create(maxBulkTasks);
    created += maxBulkTasks;
  }
};
await Promise.all(Array.from({ length: writers }, write));
const tookS = (performance.now() - startedAt) / 1_000;
const { list, screen, busy } = await page.evaluate<Kept>("window.burstMeter");
await browser.close();

const perSecond = (count: number) => (count / tookS).toFixed(1);
say(`${created} tasks in ${tookS.toFixed(1)} s: ${perSecond(created)} events a second`);
say(`the queue's list changed ${perSecond(list.length)} times a second`);
say(`anything on screen changed ${perSecond(screen.length)} times a second`);
say(`requests of the page: ${perSecond(asked)} a second`);
say(
  `busy for more than 50 ms: ${busy.length} times, ${busy.reduce((sum, ms) => sum + ms, 0).toFixed(0)} ms in all, ` +
    `longest ${Math.max(0, ...busy).toFixed(0)} ms`,
);
