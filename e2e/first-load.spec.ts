// What a browser loads before the first screen, and that it breaks no rule of the page's policy on the way.
import { expect, test } from "@playwright/test";
import { signIn } from "./pages.ts";

const maxScriptBytes = 250_000;

test("the first screen needs less than 250 kB of compressed script, from this origin, and no inline one", async ({
  page,
}) => {
  const violations: string[] = [];
  page.on(
    "console",
    (message) => message.text().includes("Content Security Policy") && violations.push(message.text()),
  );
  // What is fetched ahead of need, once the first screen stands, is left out for somebody who saves data.
  await page.addInitScript("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })");
  await signIn(page, "alice");
  await expect(page.getByRole("heading", { level: 1, name: "Queue" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Account of alice" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Live:/ })).toBeVisible();

  const scripts = await page.evaluate(() =>
    performance.getEntriesByType("resource").flatMap(({ name }) => (/\.js$/.test(name) ? [name] : [])),
  );
  expect(scripts.length).toBeGreaterThan(2);
  expect(scripts.filter((url) => url.includes("markdown-renderer"))).toEqual([]);
  const sizes = await Promise.all(
    scripts.map(async (url) => {
      const { status, headers } = await fetchHead(url);
      expect(status, url).toBe(200);
      return Number(headers.get("content-length"));
    }),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`first load: ${Math.round(total / 1_000)} kB of compressed script in ${scripts.length} files`);
  expect(total).toBeLessThan(maxScriptBytes);
  expect(sizes.every((size) => size > 0)).toBe(true);

  const origins = await page.evaluate(() =>
    [...new Set(performance.getEntriesByType("resource").map(({ name }) => new URL(name).origin))].toSorted(),
  );
  const { oidc } = (await (await page.request.get("/config.json")).json()) as { oidc: { issuer: string } };
  expect(origins).toEqual([new URL(page.url()).origin, new URL(oidc.issuer).origin].toSorted());
  await expect(page.locator("script:not([src])")).toHaveCount(0);
  expect(violations).toEqual([]);
});

/** As the browsers do that know nothing better than gzip. */
const fetchHead = (url: string): Promise<Response> =>
  fetch(url, { method: "HEAD", headers: { "accept-encoding": "gzip" } });
