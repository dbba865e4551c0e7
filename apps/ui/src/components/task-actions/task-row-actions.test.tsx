// One task's actions from its row: by menu, and by keys while the row is the current one.
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { renderPart } from "../../testing/render-part.tsx";
import { makeAgentType, makeOrganization, makeTask } from "../../testing/resource-factory.ts";
import { TaskRowActions } from "./task-row-actions.tsx";

const acme = makeOrganization();
const developer = makeAgentType(acme, { slug: "developer" });

test("the menu opens at once, offers what applies, and the focus comes back to its button", async () => {
  const task = makeTask(developer, { title: "one" });
  const { user } = renderPart(createFakeClient({ tasks: [task] }), <TaskRowActions task={task} />);
  await user.click(screen.getByRole("button", { name: "Actions for one" }));
  await screen.findByRole("menuitem", { name: "Bump to top" });
  expect(screen.queryByRole("menuitem", { name: "Requeue" })).toBeNull();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Actions for one" }));
});

test("a preset from the menu's form is set", async () => {
  const tasks = [makeTask(developer, { title: "one" })];
  const [task] = tasks as [(typeof tasks)[0] & object];
  const { user } = renderPart(createFakeClient({ tasks }), <TaskRowActions task={task} />);
  await user.click(screen.getByRole("button", { name: "Actions for one" }));
  await user.click(await screen.findByRole("menuitem", { name: "Change priority…" }));
  await user.click(await screen.findByRole("button", { name: /Urgent/ }));
  await screen.findByText(/set to priority 100/);
  expect(tasks[0]?.priority).toBe(100);
});

test("keys mean the current row only", async () => {
  const tasks = [makeTask(developer, { title: "one" }), makeTask(developer, { title: "two" })];
  const { user } = renderPart(
    createFakeClient({ tasks }),
    tasks.map((task) => <TaskRowActions key={task.id} task={task} hasKeys={task.title === "two"} />),
  );
  await user.keyboard("p");
  await user.type(await screen.findByRole("textbox", { name: "Priority" }), "{Backspace}7{Enter}");
  await screen.findByText(/set to priority/);
  expect(tasks[0]?.priority).toBe(0);
  expect(tasks[1]?.priority).not.toBe(0);
});

test("deleting asks once, naming the task", async () => {
  const tasks = [makeTask(developer, { title: "one" })];
  const [task] = tasks as [(typeof tasks)[0] & object];
  const { user } = renderPart(createFakeClient({ tasks }), <TaskRowActions task={task} />);
  await user.click(screen.getByRole("button", { name: "Actions for one" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete…" }));
  const dialog = await screen.findByRole("dialog", { name: "Delete this task?" });
  expect(dialog.textContent).toContain("one and its dispatches will be gone");
  await user.click(screen.getByRole("button", { name: "Delete task" }));
  await waitFor(() => expect(tasks).toHaveLength(0));
});
