// The task page: what it shows, editing it in place, and meeting somebody else's change.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { makeAgentType, makeEvent, makeOrganization, makeTask } from "../../testing/resource-factory.ts";

const organization = makeOrganization();
const developer = makeAgentType(organization);

const setUp = (change: Parameters<typeof makeTask>[1] = {}) => {
  const task = makeTask(developer, { title: "Fix the login", ...change });
  const child = makeTask(developer, { title: "Review it", parent_id: task.id });
  const tasks = [task, child];
  const events = [
    makeEvent(task, { type: "task.updated", data: { changes: { priority: { old: 0, new: 50 } } } }),
    makeEvent(task),
  ];
  const client = createFakeClient({ organizations: [organization], agentTypes: [developer], tasks, events });
  /** Somebody else changes the task while it is being edited. */
  const changeElsewhere = (fields: Partial<typeof task>) => {
    const [now = task] = tasks;
    tasks[0] = { ...now, ...fields, version: now.version + 1 };
  };
  return { task, tasks, client, changeElsewhere };
};

test("shows what the task says and what happened to it", async () => {
  const { task, client } = setUp({ result: "It is **done**." });
  renderScreens(client, `/tasks/${task.id}`);
  expect(await screen.findByRole("heading", { level: 1, name: "Fix the login" })).toBeDefined();
  expect(await screen.findByText("done")).toBeDefined();
  expect(await screen.findByRole("link", { name: "Review it" })).toBeDefined();
  expect(await screen.findByText("changed the priority from 0 to 50")).toBeDefined();
  await waitFor(() => expect(document.title).toBe("Fix the login · Tasks"));
});

test("a changed title is saved to the version that was seen", async () => {
  const { task, tasks, client } = setUp();
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  await user.click(await screen.findByRole("button", { name: "Edit title" }));
  const input = screen.getByRole("textbox", { name: "Title" });
  await user.clear(input);
  await user.type(input, "Fix the sign-in{Enter}");
  expect(await screen.findByRole("heading", { level: 1, name: "Fix the sign-in" })).toBeDefined();
  expect(tasks[0]).toMatchObject({ title: "Fix the sign-in", version: 2 });
});

test("an edit that meets a newer version shows both, and overwrites only on request", async () => {
  const { task, tasks, client, changeElsewhere } = setUp();
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  await user.click(await screen.findByRole("button", { name: "Edit title" }));
  const input = screen.getByRole("textbox", { name: "Title" });
  await user.clear(input);
  await user.type(input, "Mine");
  changeElsewhere({ title: "Theirs" });
  await user.click(screen.getByRole("button", { name: "Save" }));

  const dialog = await screen.findByRole("dialog", { name: "The task has changed since you opened it" });
  expect(within(dialog).getByRole("region", { name: "Your title" }).textContent).toContain("Mine");
  expect(within(dialog).getByRole("region", { name: "The title now" }).textContent).toContain("Theirs");
  expect(tasks[0]?.title).toBe("Theirs");
  await user.click(within(dialog).getByRole("button", { name: "Save mine over it" }));
  expect(await screen.findByRole("heading", { level: 1, name: "Mine" })).toBeDefined();
  expect(tasks[0]).toMatchObject({ title: "Mine", version: 3 });
});

test("a newer version that changed something else is no conflict", async () => {
  const { task, tasks, client, changeElsewhere } = setUp();
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  await user.click(await screen.findByRole("button", { name: "Edit priority" }));
  changeElsewhere({ title: "Theirs" });
  await user.click(await screen.findByRole("radio", { name: "Urgent" }));
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(tasks[0]).toMatchObject({ title: "Theirs", priority: 100 }));
  expect(screen.queryByRole("dialog", { name: /changed since/ })).toBeNull();
});

test("while a worker has it, prompt and assignee stay; requeueing returns it", async () => {
  const { task, tasks, client } = setUp({
    state: "dispatched",
    executor: "runner-3",
    dispatched_at: "2026-11-21T09:30:00.000Z",
  });
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  expect(await screen.findByText("Running")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Edit prompt" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Edit assignee" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Requeue" }));
  const facts = screen.getByRole("complementary", { name: "Facts" });
  expect(await within(facts).findByText("Queued")).toBeDefined();
  expect(tasks[0]?.state).toBe("queued");
});

test("deleting asks once, naming the task", async () => {
  const { task, tasks, client } = setUp();
  const { user, history } = renderScreens(client, `/tasks/${task.id}`);
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  const dialog = await screen.findByRole("dialog", { name: "Delete this task?" });
  expect(dialog.textContent).toContain("Fix the login");
  expect(tasks).toHaveLength(2);
  await user.click(within(dialog).getByRole("button", { name: "Delete task" }));
  await waitFor(() => expect(history.location.pathname).toBe("/"));
  expect(tasks).toHaveLength(1);
});

test("an unknown task has a page of its own", async () => {
  renderScreens(setUp().client, "/tasks/01900000-0000-7000-8000-ffffffffffff");
  expect(await screen.findByRole("heading", { name: "There is no such task" })).toBeDefined();
});
