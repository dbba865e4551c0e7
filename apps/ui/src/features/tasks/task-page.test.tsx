// The task page: what it shows, and what is done with the whole task.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { problem } from "../../testing/fake-problems.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { makeTask } from "../../testing/resource-factory.ts";
import { developer, setUp } from "../../testing/task-page-world.ts";

// Typing into a whole screen takes its time on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

test("shows what the task says and what happened to it", async () => {
  const { task, client } = setUp({ result: "It is **done**." });
  renderScreens(client, `/tasks/${task.id}`);
  expect(await screen.findByRole("heading", { level: 1, name: "Fix the login" })).toBeDefined();
  expect(await screen.findByText("done")).toBeDefined();
  expect(await screen.findByRole("link", { name: "Review it" })).toBeDefined();
  expect(await screen.findByText("changed the priority from 0 to 50")).toBeDefined();
  await waitFor(() => expect(document.title).toBe("Fix the login · Tasks"));
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
  await user.type(await screen.findByRole("textbox", { name: "Why" }), "Wrong branch");
  await user.click(screen.getByRole("button", { name: "Return to the queue" }));
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

test.each([
  ["an unknown task", "/tasks/01900000-0000-7000-8000-ffffffffffff", "not_found"],
  ["a damaged address", "/tasks/notauuid", "invalid_request"],
] as const)("%s has a page of its own", async (_name, path, code) => {
  const { client } = setUp();
  client.getTask = () => Promise.reject(problem(code, "must match format uuid"));
  renderScreens(client, path);
  expect(await screen.findByRole("heading", { name: "There is no such task" })).toBeDefined();
});

test("the line of follow-ups is a tree with the tokens of all, and this task marked in it", async () => {
  const { task, child, tasks, client } = setUp({ input_tokens: 1_000, output_tokens: 10 });
  const { id: root_id } = task;
  tasks[1] = { ...child, input_tokens: 200, output_tokens: 5 };
  tasks.push(makeTask(developer, { title: "Merge it", parent_id: child.id, root_id, depth: 2 }));
  renderScreens(client, `/tasks/${child.id}`);
  const line = await screen.findByRole("region", { name: "Lineage" });
  expect(await within(line).findByText("3 tasks · 1,200 tokens in · 15 out")).toBeDefined();
  const current = within(line).getByRole("link", { name: "Review it" });
  expect(current.getAttribute("aria-current")).toBe("page");
  const branch = current.closest("li") as HTMLElement;
  expect(within(branch).getByRole("link", { name: "Merge it" })).toBeDefined();
  expect(within(branch).queryByRole("link", { name: "Fix the login" })).toBeNull();
});

test("says why it waits", async () => {
  const { child, client } = setUp();
  renderScreens(client, `/tasks/${child.id}`);
  const why = await screen.findByRole("region", { name: "Why is it waiting" });
  expect(await within(why).findByText("Number 2 in the queue")).toBeDefined();
  expect(why.textContent).toContain("Waiting behind 1 of the same priority that came first.");
});
