// Nothing moves under the reader: what leaves stays and says why, what comes is counted, and both are shown on demand.
import { screen, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { createFakeLive, fakeAuth, renderScreens } from "../../testing/render-screens.tsx";
import { makeAgentType, makeOrganization, makeTask } from "../../testing/resource-factory.ts";

// Several seconds of a reader's patience pass here.
vi.setConfig({ testTimeout: 20_000 });

const organization = makeOrganization();
const developer = makeAgentType(organization);
const until = { timeout: 5_000 };

const openQueue = async () => {
  const tasks = ["one", "two", "three", "four"].map((title) => makeTask(developer, { title }));
  const live = createFakeLive(true);
  const client = createFakeClient({ organizations: [organization], agentTypes: [developer], tasks });
  const { user } = renderScreens(client, "/", fakeAuth("alice"), live);
  await screen.findByRole("link", { name: "four" });
  const list = screen.getByRole("list", { name: "Queue" });
  const titles = () =>
    within(list)
      .getAllByRole("link")
      .map(({ textContent }) => textContent);
  const row = (title: string) =>
    within(list)
      .getAllByRole("listitem")
      .find(({ textContent }) => textContent?.includes(title));
  return {
    tasks,
    user,
    list,
    titles,
    row,
    happen: (change: () => void) => {
      change();
      live.tell("anything");
    },
    pill: () => screen.findByRole("button", { name: /Show/ }, until),
  };
};
type Opened = Awaited<ReturnType<typeof openQueue>>;

const dispatch = ({ tasks }: Opened, title: string) => {
  const index = tasks.findIndex((task) => task.title === title);
  const task = tasks[index];
  if (task) tasks[index] = { ...task, state: "dispatched", executor: "runner-3", dispatched_at: task.created_at };
};

describe("with the pointer over the list", () => {
  test("a dispatched row stays at its place and says who has it, until it is shown without", async () => {
    const queue = await openQueue();
    await queue.user.hover(queue.list);
    queue.happen(() => dispatch(queue, "two"));
    const pill = await queue.pill();
    expect(queue.titles()).toEqual(["one", "two", "three", "four"]);
    await vi.waitFor(() => expect(queue.row("two")?.textContent).toContain("Dispatched to runner-3"), until);
    await vi.waitFor(() => expect(pill.textContent).toMatch(/^1 dispatched/), until);
    expect(queue.row("three")?.textContent).toMatch(/^20three/);
    await queue.user.keyboard("u");
    expect(queue.titles()).toEqual(["one", "three", "four"]);
    expect(screen.queryByRole("button", { name: /Show/ })).toBeNull();
  });

  test("a new one is counted and announced, and comes when it is asked for", async () => {
    const queue = await openQueue();
    await queue.user.hover(queue.list);
    queue.happen(() => queue.tasks.push(makeTask(developer, { title: "urgent", priority: 100 })));
    const pill = await queue.pill();
    expect(pill.textContent).toMatch(/^1 new/);
    expect(queue.titles()).toEqual(["one", "two", "three", "four"]);
    await vi.waitFor(
      () =>
        expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toContain(
          "1 new. Press u to show.",
        ),
      until,
    );
    await queue.user.click(pill);
    expect(queue.titles()).toEqual(["urgent", "one", "two", "three", "four"]);
  });

  test("a row whose priority changed shows it where it is; its new place waits", async () => {
    const queue = await openQueue();
    await queue.user.hover(queue.list);
    queue.happen(() => {
      const [task] = queue.tasks.splice(2, 1);
      if (task) queue.tasks.push({ ...task, priority: 100 });
    });
    await queue.pill();
    expect(queue.titles()).toEqual(["one", "two", "three", "four"]);
    await vi.waitFor(() => expect(queue.row("three")?.textContent).toContain("Moves: priority 100"), until);
    await queue.user.keyboard("u");
    expect(queue.titles()).toEqual(["three", "one", "two", "four"]);
  });

  test("a deleted one says so", async () => {
    const queue = await openQueue();
    await queue.user.hover(queue.list);
    queue.happen(() => queue.tasks.splice(0, 1));
    await vi.waitFor(() => expect(queue.row("one")?.textContent).toContain("Deleted"), until);
  });

  test("a new title shows at once", async () => {
    const queue = await openQueue();
    await queue.user.hover(queue.list);
    queue.happen(() => {
      const [task] = queue.tasks;
      if (task) queue.tasks[0] = { ...task, title: "renamed" };
    });
    await vi.waitFor(() => expect(queue.titles()[0]).toBe("renamed"), until);
  });
});

test("with nobody at the list, changes come at once", async () => {
  const queue = await openQueue();
  queue.happen(() => dispatch(queue, "one"));
  await vi.waitFor(() => expect(queue.titles()).toEqual(["two", "three", "four"]), until);
  expect(screen.queryByRole("button", { name: /Show/ })).toBeNull();
});

test("once the pointer leaves, what was held comes", async () => {
  const queue = await openQueue();
  await queue.user.hover(queue.list);
  queue.happen(() => dispatch(queue, "one"));
  await queue.pill();
  await queue.user.unhover(queue.list);
  await vi.waitFor(() => expect(queue.titles()).toEqual(["two", "three", "four"]), until);
});

test("keys keep the row that has the focus where it is", async () => {
  const queue = await openQueue();
  await queue.user.keyboard("jj");
  expect(document.activeElement?.textContent).toBe("two");
  queue.happen(() => dispatch(queue, "one"));
  await queue.pill();
  expect(queue.titles()).toEqual(["one", "two", "three", "four"]);
  expect(document.activeElement?.textContent).toBe("two");
});

test("what left is still told as what became of it once it is out of view", async () => {
  const queue = await openQueue();
  await queue.user.hover(queue.list);
  queue.happen(() => dispatch(queue, "one"));
  const pill = await queue.pill();
  await vi.waitFor(() => expect(pill.textContent).toMatch(/^1 dispatched/), until);
  // As if the window were scrolled on by two rows.
  queue.list.getBoundingClientRect = () => new DOMRect(0, -44, 1_000, 0);
  window.dispatchEvent(new Event("scroll"));
  queue.happen(() => dispatch(queue, "four"));
  await vi.waitFor(() => expect(pill.textContent).toMatch(/^2 dispatched/), until);
});

test("what became of a selected task that left is known to the actions: nobody loses work unasked", async () => {
  const queue = await openQueue();
  await queue.user.click(within(queue.list).getByRole("checkbox", { name: /two/ }));
  queue.happen(() => dispatch(queue, "two"));
  await vi.waitFor(() => expect(queue.row("two")?.textContent).toContain("Dispatched to runner-3"), until);
  await queue.user.keyboard("r");
  expect(await screen.findByRole("dialog", { name: "Requeue this task?" })).toBeDefined();
  expect(queue.tasks.find(({ title }) => title === "two")?.state).toBe("dispatched");
});
