// The insights: a sentence and a table behind each chart, gaps where nobody looked, and what needs somebody.
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { createFakeClient, problem } from "../../testing/fake-client.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import {
  makeAgentType,
  makeExecutor,
  makeHistoryPoint,
  makeOrganization,
  makeStats,
  makeTask,
} from "../../testing/resource-factory.ts";

const organization = makeOrganization({ name: "Acme" });
const developer = makeAgentType(organization, { name: "Developer" });
const world = { organizations: [organization], agentTypes: [developer] };
const noWait = { p50: null, p90: null, p95: null, p99: null };
const queued = { agent_type_id: developer.id, organization_slug: "acme", slug: "developer", live: 0 };

const at = (hour: number) => `2026-11-21T0${hour}:00:00.000Z`;
const history = [
  makeHistoryPoint({
    at: at(1),
    queued: 7,
    by_priority: [
      { priority: 120, queued: 2, live: 0 },
      { priority: 100, queued: 1, live: 0 },
      { priority: -1, queued: 4, live: 0 },
    ],
    dispatched: 1200,
  }),
  makeHistoryPoint({ at: at(2), queued: null, live: null, by_priority: null }),
  makeHistoryPoint({ at: at(3), queued: 3, by_priority: [{ priority: 0, queued: 3, live: 0 }], input_tokens: 5000 }),
];

const withHistory = () =>
  createFakeClient(world, {
    getStatsHistory: async () => ({ items: history }),
    getStats: async () => makeStats([], { queued: 3 }),
  });

const card = (name: string) => screen.findByRole("region", { name });

test("a chart says in one sentence what it shows, and has the same numbers as a table", async () => {
  const { user } = renderScreens(withHistory(), "/insights");
  const depth = await card("Queued tasks by priority");
  expect(depth.textContent).toMatch(/At most 7 tasks were queued.*; 3 at the end of the last 24 hours/);
  await user.click(within(depth).getByRole("button", { name: "Show as table" }));
  const table = within(depth).getByRole<HTMLTableElement>("table", { name: "Queued tasks by priority" });
  const cells = [...table.rows].map((row) => [...row.cells].slice(1).map(({ textContent }) => textContent));
  expect(cells).toEqual([
    ["All", "Urgent", "High", "Normal", "Low"],
    ["7", "3", "0", "0", "4"],
    Array(5).fill("not known"),
    ["3", "0", "0", "3", "0"],
  ]);
  expect(within(depth).getByRole("link", { name: "The queued tasks" }).getAttribute("href")).toBe(
    "/tasks?state=queued",
  );
});

test("what did not happen is said, card by card", async () => {
  renderScreens(withHistory(), "/insights");
  expect((await card("Age of the oldest queued task")).textContent).toContain("No task had to wait in this time.");
  expect((await card("Dispatched tasks by executor")).textContent).toContain("No executor took a task on these days.");
});

test("before anything happened it says so; the time is part of the address", async () => {
  const { user, history: addresses } = renderScreens(createFakeClient(world), "/insights");
  expect(await screen.findByText("Nothing has happened in the last 24 hours")).toBeDefined();
  await user.click(screen.getByRole("radio", { name: "7 days" }));
  expect(await screen.findByText("Nothing has happened in the last 7 days")).toBeDefined();
  expect(addresses.location.search).toBe("?range=7d");
});

test("what needs somebody is said in words, each with the way to it", async () => {
  const broken = makeOrganization({ slug: "globex", name: "Globex" });
  broken.sync = { ...broken.sync, status: "partial", errors: [{ path: "personas/a.md", line: 1, detail: "No name." }] };
  const lost = makeTask(developer, { title: "Lost one", needs_attention: true });
  const client = createFakeClient(
    { ...world, organizations: [organization, broken], tasks: [lost] },
    {
      getStats: async () => makeStats([], { queued: 12, by_agent_type: [{ ...queued, queued: 12, wait_ms: noWait }] }),
    },
  );
  renderScreens(client, "/insights");
  const panel = await card("Needs attention");
  expect(await within(panel).findByRole("link", { name: "1 task was lost again and again" })).toBeDefined();
  expect(within(panel).getByRole("link", { name: "Lost one" }).getAttribute("href")).toBe(`/tasks/${lost.id}`);
  expect(await within(panel).findByRole("link", { name: "12 tasks for Developer of Acme" })).toBeDefined();
  expect(panel.textContent).toContain("no executor serves this agent type");
  expect(within(panel).getByRole("link", { name: "1 persona file of Globex could not be read" })).toBeDefined();
});

test("an executor that waits keeps the agent types it serves out of it", async () => {
  const client = createFakeClient(
    { ...world, executors: [makeExecutor()] },
    {
      getStats: async () => makeStats([], { queued: 12, by_agent_type: [{ ...queued, queued: 12, wait_ms: noWait }] }),
    },
  );
  renderScreens(client, "/insights");
  expect((await screen.findByText(/every waiting agent type has an executor/)).textContent).toContain("Nothing.");
});

test("an address with a damaged range shows the usual one", async () => {
  renderScreens(withHistory(), "/insights?range=bogus&organization=1");
  expect(await screen.findByRole("heading", { level: 1, name: "Insights" })).toBeDefined();
});

test("agent types and organizations are called by their names, in charts, sentences and tables", async () => {
  const used = { dispatches: 2, input_tokens: 300, output_tokens: 40 };
  const client = createFakeClient(world, {
    getStatsHistory: async () => ({ items: history }),
    getStatsUsage: async (input) => ({
      total: used,
      items:
        input?.query?.group_by === "agent_type"
          ? [{ ...used, key: developer.id, label: "acme/developer" }]
          : [{ ...used, key: organization.id, label: "acme" }],
    }),
  });
  const { user } = renderScreens(client, "/insights");
  expect((await card("Tokens by organization")).textContent).toContain("Acme used the most");
  const byType = await card("Tokens by agent type");
  expect(byType.textContent).toContain("Developer used the most");
  expect(within(byType).getByRole("link", { name: "Developer" }).getAttribute("href")).toBe(
    "/tasks?for=acme%2Fdeveloper",
  );
  await user.click(within(byType).getByRole("button", { name: "Show as table" }));
  expect(within(byType).getByRole("rowheader", { name: "Developer" })).toBeDefined();
});

test("numbers that cannot be read are said to be missing once; the others stay", async () => {
  const down = () => Promise.reject(problem("overloaded", "Try again in a moment."));
  const client = createFakeClient(world, {
    getStatsHistory: async () => ({ items: history }),
    getStatsUsage: down,
  });
  renderScreens(client, "/insights");
  expect(await screen.findByText("Could not load the numbers", {}, { timeout: 5000 })).toBeDefined();
  expect(screen.getAllByRole("alert")).toHaveLength(1);
  expect(await card("Queued tasks by priority")).toBeDefined();
  expect(screen.queryByRole("region", { name: "Dispatched tasks by executor" })).toBeNull();
});
