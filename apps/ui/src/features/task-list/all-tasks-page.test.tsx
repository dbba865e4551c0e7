// All tasks: filters in the address, views as links, what is chosen changed together, a preview beside the list.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { makeAgentType, makeOrganization, makeTask } from "../../testing/resource-factory.ts";

const organization = makeOrganization();
const developer = makeAgentType(organization, { name: "Developer" });
const world = { organizations: [organization], agentTypes: [developer] };
const position = {
  position: 2,
  ahead: [{ priority: 50, count: 1 }],
  overtaken_count: 0,
  oldest_ahead_at: null,
  waiting_executors: 1,
  estimated_wait_seconds: null,
  reasons: ["behind_higher_priority" as const],
};

const setUp = (path = "/tasks") => {
  const tasks = [
    makeTask(developer, { title: "waits" }),
    makeTask(developer, { title: "of bob", assignee_type: "user", assignee: "bob", agent_type: null }),
    makeTask(developer, {
      title: "runs",
      state: "dispatched",
      executor: "runner-3",
      dispatched_at: "2026-11-21T09:30:00.000Z",
    }),
  ];
  const client = createFakeClient({ ...world, tasks }, { getTaskPosition: async () => position });
  const listTasks = vi.spyOn(client, "listTasks");
  return { tasks, listTasks, ...renderScreens(client, path) };
};

const titles = async () =>
  within(await screen.findByRole("list", { name: "Tasks" }))
    .getAllByRole("link")
    .map(({ textContent }) => textContent);

test("shows every task, newest first, with its state in words", async () => {
  setUp();
  expect(await titles()).toEqual(["runs", "of bob", "waits"]);
  expect(screen.getByText("3 tasks")).toBeDefined();
  const words = screen.getAllByRole("listitem").map(({ textContent }) => textContent ?? "");
  expect(words.find((row) => row.includes("runs"))).toContain("Running · ");
  expect(words.find((row) => row.includes("of bob"))).toContain("Not in the queue · ");
  expect(document.title).toBe("Tasks · Tasks");
});

test("says how many there are only once it is known", async () => {
  const client = createFakeClient({ ...world, tasks: [] }, { listTasks: () => new Promise(() => undefined) });
  renderScreens(client, "/tasks");
  await screen.findByRole("heading", { level: 1, name: "Tasks" });
  expect(screen.queryByText("0 tasks")).toBeNull();
});

test("of many labels a row names two and counts the others, whose names are on hover", async () => {
  const tasks = [makeTask(developer, { labels: ["docs", "search", "team-blue", "q3"] })];
  renderScreens(createFakeClient({ ...world, tasks }), "/tasks");
  const row = within(await screen.findByRole("list", { name: "Tasks" }));
  expect(row.getByText("search")).toBeDefined();
  expect(row.getByText("+2").title).toBe("team-blue, q3");
});

test("a view is a link whose filters stand in the address, and is marked as the current one", async () => {
  const { user, history, listTasks } = setUp();
  await titles();
  await user.click(screen.getByRole("link", { name: "Of people" }));
  await waitFor(() => expect(history.location.search).toBe("?assigned=user"));
  await waitFor(async () => expect(await titles()).toEqual(["of bob"]));
  expect(screen.getByRole("link", { name: "Of people" }).getAttribute("aria-current")).toBe("page");
  expect(screen.getByRole("link", { name: "All" }).getAttribute("aria-current")).toBeNull();
  expect(listTasks.mock.lastCall?.[0]?.query).toMatchObject({ assignee_type: "user" });
});

test("an address says what is shown, and nothing that fits offers to clear the filters", async () => {
  const { user, history } = setUp("/tasks?q=nowhere&min=50&nonsense=1");
  await user.click(await screen.findByRole("button", { name: "Clear the filters" }));
  expect(await titles()).toHaveLength(3);
  expect(history.location.search).toBe("");
});

test("what is damaged in an address is ignored, and digits are words", async () => {
  const { user, history, listTasks } = setUp("/tasks?q=%00&open=notauuid&min=50&max=-10");
  expect(await titles()).toHaveLength(3);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.queryByRole("complementary", { name: "Preview" })).toBeNull();
  expect(screen.getByText("-10 to 50")).toBeDefined();
  history.push("/tasks?q=0123&label=1e3");
  await waitFor(() => expect(listTasks.mock.lastCall?.[0]?.query).toMatchObject({ q: "0123", label: ["1e3"] }));
  await user.selectOptions(screen.getByRole("combobox", { name: "Order" }), "Oldest first");
  await waitFor(() => expect(history.location.search).toBe("?q=0123&label=1e3&sort=created_at"));
});

test("by keyboard alone: move, select a range, change it, undo", async () => {
  const { user, tasks } = setUp();
  await titles();
  await user.keyboard("jxjX");
  expect(await screen.findByText("2 selected")).toBeDefined();
  await user.keyboard("p");
  await user.type(await screen.findByRole("textbox", { name: "Priority" }), "70{Enter}");
  await screen.findByText(/2 tasks set to priority 70/);
  expect(tasks.map(({ priority }) => priority)).toEqual([0, 70, 70]);
  await user.keyboard("z");
  await waitFor(() => expect(tasks.map(({ priority }) => priority)).toEqual([0, 0, 0]));
  await user.keyboard("{Escape}");
  expect(screen.queryByText("2 selected")).toBeNull();
});

test("the preview says why a task waits; Escape closes it and Enter opens the page", async () => {
  vi.spyOn(window, "matchMedia").mockImplementation((query) => ({ ...matchMediaOf(query), matches: true }));
  const { user, history } = setUp();
  await titles();
  await user.click(screen.getByRole("link", { name: "waits" }));
  const preview = await screen.findByRole("complementary", { name: "Preview" });
  expect(await within(preview).findByText("Waiting behind 1 with higher priority")).toBeDefined();
  expect(history.location.search).toMatch(/^\?open=/);
  await user.keyboard("k");
  expect(await within(preview).findByRole("heading", { name: "of bob" })).toBeDefined();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("complementary", { name: "Preview" })).toBeNull());
  expect(history.location.pathname).toBe("/tasks");
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("heading", { level: 1, name: "of bob" })).toBeDefined();
  vi.restoreAllMocks();
});

test("Back leads past what was previewed and never to the same view again", async () => {
  vi.spyOn(window, "matchMedia").mockImplementation((query) => ({ ...matchMediaOf(query), matches: true }));
  const { user, history } = setUp("/tasks");
  history.push("/tasks?sort=created_at");
  await waitFor(async () => expect(await titles()).toEqual(["waits", "of bob", "runs"]));
  for (const way of ["{Escape}", "back"]) {
    await user.click(screen.getByRole("link", { name: "waits" }));
    await screen.findByRole("complementary", { name: "Preview" });
    await user.keyboard("j");
    await waitFor(() => expect(screen.getByRole("heading", { level: 2, name: "of bob" })).toBeDefined());
    if (way === "back") history.back();
    else await user.keyboard(way);
    await waitFor(() => expect(history.location.search).toBe("?sort=created_at"));
    expect(screen.queryByRole("complementary", { name: "Preview" })).toBeNull();
  }
  history.back();
  await waitFor(() => expect(history.location.search).toBe(""));
  vi.restoreAllMocks();
});

test("a preview of a task that is not there says so, and closes", async () => {
  const { user, history } = setUp("/tasks?open=01936f5e-7c3a-7000-8000-000000000000&sort=created_at");
  const preview = await screen.findByRole("complementary", { name: "Preview" });
  expect(await within(preview).findByText("There is no such task; it may have been deleted.")).toBeDefined();
  expect(within(preview).queryByRole("button", { name: "Try again" })).toBeNull();
  await user.click(within(preview).getByRole("button", { name: "Close the preview" }));
  await waitFor(() => expect(history.location.search).toBe("?sort=created_at"));
});

const { matchMedia } = window;
const matchMediaOf = (query: string) => matchMedia.call(window, query);
