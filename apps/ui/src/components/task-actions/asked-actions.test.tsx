// Very many tasks at once: every action on them asks once, and says how many they are.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { renderPart } from "../../testing/render-part.tsx";
import { makeAgentType, makeOrganization, makeTask } from "../../testing/resource-factory.ts";
import { TaskBulkBar } from "./task-bulk-bar.tsx";

const acme = makeOrganization();
const developer = makeAgentType(acme);

const setUp = async () => {
  const tasks = Array.from({ length: 51 }, () => makeTask(developer));
  const ahead = makeTask(developer, { priority: 10 });
  const client = createFakeClient({ organizations: [acme], agentTypes: [developer], tasks: [...tasks, ahead] });
  const changeTasks = vi.spyOn(client, "changeTasks");
  const nothing = () => undefined;
  const bar = <TaskBulkBar tasks={tasks} shownCount={52} onSelectAll={nothing} onClear={nothing} onKeep={nothing} />;
  const { user } = renderPart(client, bar);
  await screen.findByRole("toolbar", { name: "Selected tasks" });
  return { user, changeTasks };
};

test("returning them to the queue asks, as workers may have taken some since they were seen", async () => {
  const { user, changeTasks } = await setUp();
  await user.keyboard("r");
  const dialog = await screen.findByRole("dialog", { name: "Requeue 51 tasks?" });
  expect(dialog.textContent).toContain("Those that workers have by now");
  expect(changeTasks).not.toHaveBeenCalled();
  await user.click(within(dialog).getByRole("button", { name: "Requeue 51 tasks" }));
  await screen.findByText(/51 tasks returned to the queue/);
});

test("bumping them to the top asks", async () => {
  const { user, changeTasks } = await setUp();
  await user.click(screen.getByRole("button", { name: "Bump to top" }));
  await user.click(await screen.findByRole("button", { name: "Leave them" }));
  await user.click(screen.getByRole("button", { name: "Bump to top" }));
  const dialog = await screen.findByRole("dialog", { name: "Bump 51 tasks to the top?" });
  expect(changeTasks).not.toHaveBeenCalled();
  await user.click(within(dialog).getByRole("button", { name: "Bump 51 tasks" }));
  await waitFor(() => expect(changeTasks).toHaveBeenCalledOnce());
});

test("the forms of a priority and of an assignment say how many", async () => {
  const { user } = await setUp();
  for (const [key, name] of [
    ["p", "Change priority"],
    ["a", "Assign"],
  ] as const) {
    await user.keyboard(key);
    expect((await screen.findByRole("dialog", { name })).textContent).toContain("51 tasks");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  }
});
