// The tests' client of the git host's switches, against the service itself: faults, counts, real deliveries.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newSlug, personaFile, writeRepoFile } from "./factories.ts";
import { requestsInFlight, switchesOf } from "./git-host-switches.ts";
import { startTestApp, type TestApp } from "./test-app.ts";

const slug = newSlug();
const host = switchesOf(slug);
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { GIT_API_URL: host.apiUrl } });
  await writeRepoFile(slug, "personas/developer.md", personaFile("developer"));
  await app.client.createOrganization({ body: { slug } });
});
afterAll(async () => {
  await host.reset();
  await app.close();
});

const params = { organization: slug };
const sync = () => app.client.syncOrganization({ params });

test("A fault is what the service meets, a request is what it asks", async () => {
  await host.fault({ fault: "status", status: 503, at: "commits" });
  expect(await sync()).toMatchObject({ status: "failed" });
  await host.fault();
  await host.forget();
  expect(await sync()).toMatchObject({ status: "ok" });
  const { requests, in_flight, in_flight_peak } = await host.requests();
  expect(requests[0]?.path).toMatch(`repos/${slug}/${slug}-agents/commits?limit=1`);
  expect(requests.every(({ status }) => status === 200)).toBe(true);
  expect(in_flight).toBe(0);
  expect((await requestsInFlight()).in_flight_peak).toBeGreaterThanOrEqual(in_flight_peak);
});

test("What changes is delivered into the service", async () => {
  await sync();
  await host.set({ webhook: { url: `${app.baseUrl}/webhooks/git`, secret: "test-signing-secret" } });
  await writeRepoFile(slug, "personas/tester.md", personaFile("tester"));
  await vi.waitFor(async () => expect((await app.client.listAgentTypes({ query: params })).items).toHaveLength(2), {
    timeout: 5000,
  });
});
