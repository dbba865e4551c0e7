// The queue on screen: true dispatch order, bands of priority, and what an empty queue says.
import type { Task } from "@task-service/contract";
import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeClient, problem } from "../../testing/fake-client.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { makeAgentType, makeOrganization, makeTask } from "../../testing/resource-factory.ts";

// Several seconds of a reader's patience pass here.
vi.setConfig({ testTimeout: 20_000 });

const organization = makeOrganization();
const developer = makeAgentType(organization);
const until = { timeout: 5_000 };
const world = { organizations: [organization], agentTypes: [developer] };

test("lists the queue in dispatch order with positions, under the band of its first row", async () => {
  const tasks = [
    makeTask(developer, { title: "first normal" }),
    makeTask(developer, { title: "urgent", priority: 120 }),
    makeTask(developer, { title: "second normal", priority: 0 }),
    makeTask(developer, { title: "low", priority: -1 }),
    makeTask(developer, { title: "high", priority: 50 }),
    makeTask(developer, { title: "of a person", assignee_type: "user", assignee: "bob", agent_type: null }),
  ];
  renderScreens(createFakeClient({ ...world, tasks }));

  const queue = await screen.findByRole("list", { name: "Queue" });
  expect(
    within(queue)
      .getAllByRole("link")
      .map((link) => link.textContent),
  ).toEqual(["urgent", "high", "first normal", "second normal", "low"]);
  expect(
    within(queue)
      .getAllByRole("listitem")
      .map((line) => line.textContent),
  ).toMatchObject([
    expect.stringMatching(/^1120urgent/),
    expect.stringMatching(/^250high/),
    expect.stringMatching(/^30first normal/),
    expect.stringMatching(/^40second normal/),
    expect.stringMatching(/^5-1low/),
  ]);
  expect(await screen.findByRole("heading", { level: 2, name: /^Urgent ?1$/ })).toBeDefined();
  expect(screen.getByText(/5 queued/)).toBeDefined();
});

test("shows who took a task, apart from what waits and from what has ended", async () => {
  const dispatched = { state: "dispatched", executor: "runner-3", dispatched_at: "2026-11-21T09:30:00.000Z" } as const;
  const tasks = [
    makeTask(developer, { title: "runs", ...dispatched }),
    makeTask(developer, { title: "ended", ...dispatched, dispatch_ended_at: "2026-11-21T09:31:00.000Z" }),
    makeTask(developer, {
      title: "lost",
      ...dispatched,
      dispatch_ended_at: "2026-11-21T09:32:00.000Z",
      needs_attention: true,
    }),
  ];
  renderScreens(createFakeClient({ ...world, tasks }));

  const running = await screen.findByRole("region", { name: "Running" });
  expect(running.textContent).toMatch(/Running 1.*runs.*to runner-3/);
  expect(screen.getByRole("region", { name: "Recently dispatched" }).textContent).toContain("ended");
  expect(screen.getByRole("region", { name: "Needs attention" }).textContent).toContain("lost");
  expect(await screen.findByText("All dispatched")).toBeDefined();
});

test("what was dispatched last, what runs and what needs a person is shown however many tasks are newer", async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();
  const dispatched = (title: string, minute: number, more: Partial<Task> = {}) =>
    makeTask(developer, {
      title,
      state: "dispatched",
      executor: "runner-3",
      dispatched_at: at(minute),
      dispatch_ended_at: at(minute),
      updated_at: at(minute),
      ...more,
    });
  const tasks = [
    dispatched("dispatched last", 59),
    dispatched("runs long", 0, { dispatch_ended_at: null }),
    dispatched("lost", 0, { needs_attention: true }),
    ...Array.from({ length: 150 }, (_, n) => dispatched(`newer ${n}`, 1 + (n % 50))),
  ];
  const fake = createFakeClient({ ...world, tasks });
  // As the service sorts; the fake knows the order of creation only.
  const listTasks: typeof fake.listTasks = async (input) => {
    if (input?.query?.sort !== "-updated_at") return fake.listTasks(input);
    const { items } = await fake.listTasks({ query: { ...input.query, limit: tasks.length } });
    const sorted = items.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at));
    return { items: sorted.slice(0, input.query.limit), next_cursor: null };
  };
  renderScreens({ ...fake, listTasks });

  const recent = await screen.findByRole("region", { name: "Recently dispatched" });
  expect(within(recent).getAllByRole("link")[0]?.textContent).toBe("dispatched last");
  expect(screen.getByRole("region", { name: "Running" }).textContent).toContain("runs long");
  expect(screen.getByRole("region", { name: "Needs attention" }).textContent).toContain("lost");
});

test("where more run, and more need a person, than are read, the numbers say so", async () => {
  const many = (more: Partial<Task>) =>
    Array.from({ length: 120 }, () => makeTask(developer, { state: "dispatched", executor: "runner-3", ...more }));
  const tasks = [
    ...many({ dispatch_ended_at: null }),
    ...many({ needs_attention: true, dispatch_ended_at: "2026-11-21T09:31:00.000Z" }),
  ];
  renderScreens(createFakeClient({ ...world, tasks }));

  expect(await screen.findByRole("heading", { name: "Running 100+" }, until)).toBeDefined();
  expect(screen.getByRole("heading", { name: "Needs attention 100+" })).toBeDefined();
  expect(screen.getByText("Dispatched · 100+ running")).toBeDefined();
  expect(await screen.findByText("Nothing waits. 100+ tasks run right now.", {}, until)).toBeDefined();
});

test("an empty service asks for an organization", async () => {
  renderScreens(createFakeClient());
  const link = await screen.findByRole("link", { name: "Create an organization" });
  expect(link.getAttribute("href")).toBe("/organizations?create=true");
});

test("without agent types it says which repository to create, and synchronizes on demand", async () => {
  const bare = makeOrganization({ agent_type_count: 0 });
  bare.sync.status = "not_configured";
  let synced: string | undefined;
  const client = createFakeClient(
    { organizations: [bare] },
    {
      syncOrganization: async ({ params }) => {
        synced = params.organization;
        return bare.sync;
      },
    },
  );
  const { user } = renderScreens(client);

  expect(await screen.findByText("No agent types are configured for acme.")).toBeDefined();
  expect(screen.getByText(/The repository must be created to add some/).textContent).toContain(
    "create acme-agents under acme",
  );
  expect(screen.getByRole("link", { name: "https://git.example/acme/acme-agents" })).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Sync now" }));
  expect(synced).toBe(bare.id);
});

test("j and k move through the rows and Enter opens; c begins a new task", async () => {
  const tasks = [makeTask(developer, { title: "one" }), makeTask(developer, { title: "two" })];
  const { user, history } = renderScreens(createFakeClient({ ...world, tasks }));
  await screen.findByRole("link", { name: "one" });

  await user.keyboard("jjk");
  expect(document.activeElement?.textContent).toBe("one");
  await user.keyboard("j{Enter}");
  expect(await screen.findByRole("heading", { level: 1, name: "two" })).toBeDefined();
  await user.keyboard("c");
  expect(await screen.findByRole("heading", { level: 1, name: "New task" })).toBeDefined();
  expect(history.location.pathname).toBe("/tasks/new");
});

test("a service out of reach is told of once, and what is shown from when it is", async () => {
  let isDown = true;
  const healthy = createFakeClient({ ...world, tasks: [makeTask(developer, { title: "back" })] });
  const client = createFakeClient(world, {
    listTasks: (input) => (isDown ? Promise.reject(problem("not_found", "Gone fishing.")) : healthy.listTasks(input)),
  });
  const { user } = renderScreens(client);
  await screen.findByText("Could not load the queue");
  expect(screen.getAllByRole("alert")).toHaveLength(1);
  isDown = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("link", { name: "back" });
  await screen.findByText("Nothing runs right now.", { exact: false }, until);
  isDown = true;
  await screen.findByText("Could not refresh the queue", {}, until);
  expect((await screen.findByText(/^What was dispatched, from/, {}, until)).textContent).toMatch(/from \S+/);
  expect(screen.getAllByRole("alert")).toHaveLength(1);
  expect(screen.getByRole("alert").textContent).toMatch(/What is shown was read/);
});

test("a failing queue says so and can be asked again", async () => {
  let isDown = true;
  const healthy = createFakeClient({ ...world, tasks: [makeTask(developer, { title: "back" })] });
  const client = createFakeClient(world, {
    listTasks: (input) => (isDown ? Promise.reject(problem("not_found", "Gone fishing.")) : healthy.listTasks(input)),
  });
  const { user } = renderScreens(client);
  const alert = (await screen.findByText("Could not load the queue")).closest("[role=alert]") as HTMLElement;
  expect(alert.textContent).toContain("Gone fishing.");
  isDown = false;
  await user.click(within(alert).getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "back" })).toBeDefined();
});
