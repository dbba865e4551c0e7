// Changing selected tasks: shown at once, undone on request, and those that were refused are named and stay selected.

import { maxPriority, type Task } from "@task-service/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { createFakeClient, problem } from "../../testing/fake-client.ts";
import { renderPart } from "../../testing/render-part.tsx";
import { makeAgentType, makeOrganization, makeTask } from "../../testing/resource-factory.ts";
import { TaskBulkBar } from "./task-bulk-bar.tsx";

const acme = makeOrganization();
const developer = makeAgentType(acme, { slug: "developer", name: "Developer" });
const reviewer = makeAgentType(acme, { slug: "reviewer", name: "Reviewer" });

const setUp = async (
  tasks: Task[],
  overrides: Parameters<typeof createFakeClient>[1] = {},
  selected = tasks.map(({ id }) => id),
) => {
  const client = createFakeClient({ organizations: [acme], agentTypes: [developer, reviewer], tasks }, overrides);
  const changeTasks = vi.spyOn(client, "changeTasks");
  const onClear = vi.fn();
  const onSelectAll = vi.fn();
  const Held = () => {
    const [ids, setIds] = useState<readonly string[]>(selected);
    return (
      <>
        <output aria-label="selected">{ids.length}</output>
        <TaskBulkBar
          tasks={tasks.filter(({ id }) => ids.includes(id))}
          shownCount={5}
          onSelectAll={onSelectAll}
          onClear={onClear}
          onKeep={setIds}
        />
      </>
    );
  };
  const rendered = renderPart(client, <Held />);
  await screen.findByRole("toolbar", { name: "Selected tasks" });
  return { ...rendered, client, changeTasks, onClear, onSelectAll };
};

const three = () => [
  makeTask(developer, { title: "one", priority: 0 }),
  makeTask(developer, { title: "two", priority: 10 }),
  makeTask(developer, { title: "three", priority: 0 }),
];
const priorities = (tasks: Task[]) => tasks.map(({ priority }) => priority);

test("p sets one priority for all of them, and Undo gives each its own back", async () => {
  const tasks = three();
  const { user, changeTasks } = await setUp(tasks);
  await user.keyboard("p");
  const dialog = await screen.findByRole("dialog", { name: "Change priority" });
  await user.type(within(dialog).getByRole("textbox", { name: "Priority" }), "75{Enter}");
  await screen.findByText(/3 tasks set to priority 75/);
  expect(priorities(tasks)).toEqual([75, 75, 75]);
  expect(changeTasks).toHaveBeenCalledOnce();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText(/3 tasks are as they were/);
  expect(priorities(tasks)).toEqual([0, 10, 0]);
});

test("a sends them to an agent type found by name, and z undoes it", async () => {
  const tasks = three();
  const { user } = await setUp(tasks);
  await user.keyboard("a");
  await user.type(await screen.findByRole("textbox", { name: "Assign to" }), "revi");
  await screen.findByRole("option", { name: /Reviewer/ });
  await user.keyboard("{ArrowDown}{Enter}");
  await screen.findByText(/3 tasks assigned to Reviewer/);
  expect(tasks.map(({ assignee }) => assignee)).toEqual([reviewer.id, reviewer.id, reviewer.id]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.keyboard("z");
  await waitFor(() =>
    expect(tasks.map(({ assignee }) => assignee)).toEqual([developer.id, developer.id, developer.id]),
  );
});

test("Undo leaves alone what somebody has set anew since, and says so; another change is no obstacle", async () => {
  const tasks = three();
  const put = (index: number, change: Partial<Task>) => {
    const task = tasks[index];
    if (task) tasks[index] = { ...task, ...change, version: task.version + 1 };
  };
  const { user, client } = await setUp(tasks);
  const updateTask = vi.spyOn(client, "updateTask");
  await user.keyboard("p");
  await user.type(await screen.findByRole("textbox", { name: "Priority" }), "75{Enter}");
  await screen.findByText(/3 tasks set to priority 75/);
  put(0, { title: "renamed" });
  put(1, { priority: 99 });
  // One more change between the look at the last task and its undoing.
  updateTask.mockImplementationOnce(async () => {
    put(2, { labels: ["urgent"] });
    throw problem("precondition_failed", "It has changed.");
  });
  await user.keyboard("z");
  await screen.findByText("1 of 3 tasks not undone");
  expect(screen.getByText(/It stays as it is now\./).textContent).toBe(
    "“two”: Somebody has changed it since. It stays as it is now.",
  );
  await screen.findByText(/2 tasks are as they were/);
  expect(priorities(tasks)).toEqual([0, 99, 0]);
  for (const [{ headers }] of updateTask.mock.calls) expect(headers?.["if-match"]).toMatch(/^"\d+"$/);
});

test("what had the priority already is not undone", async () => {
  const { user } = await setUp([makeTask(developer, { title: "one", priority: 75 })]);
  await user.keyboard("p");
  await user.type(await screen.findByRole("textbox", { name: "Priority" }), "{Control>}a{/Control}75{Enter}");
  await screen.findByText(/set to priority 75/);
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

test("what was refused is named with its reason, stays selected, and shows what it has", async () => {
  const tasks = three();
  const refused = tasks[1]?.id;
  const taken = problem("already_dispatched", "A worker has it.");
  const { user } = await setUp(tasks, {
    changeTasks: async ({ body }) => ({
      items: body.ids.map((id) => (id === refused ? { id, status: 409, problem: taken.problem } : { id, status: 200 })),
    }),
  });
  await user.click(screen.getByRole("button", { name: "Requeue" }));
  await screen.findByText("1 of 3 tasks left as they were");
  expect(screen.getByText(/A worker has it\./).textContent).toBe("“two”: A worker has it.");
  expect(screen.getByText(/2 tasks returned to the queue/)).toBeDefined();
  expect(screen.getByRole("status", { name: "selected" }).textContent).toBe("1");
});

test("a service out of reach leaves everything as it was and says so", async () => {
  const tasks = three();
  const { user } = await setUp(tasks, { changeTasks: () => Promise.reject(new TypeError("fetch failed")) });
  await user.keyboard("r");
  await screen.findByText("That did not work");
  expect(screen.getByText("The task service could not be reached.")).toBeDefined();
  expect(screen.getByRole("status", { name: "selected" }).textContent).toBe("3");
});

test("deleting asks once, naming how many, and there is no undo", async () => {
  const tasks = three();
  const { user } = await setUp(tasks);
  await user.click(screen.getByRole("button", { name: "Delete" }));
  const dialog = await screen.findByRole("dialog", { name: "Delete 3 tasks?" });
  await user.click(within(dialog).getByRole("button", { name: "Keep them" }));
  expect(tasks).toHaveLength(3);
  await user.click(screen.getByRole("button", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Delete 3 tasks" }));
  await screen.findByText(/3 tasks deleted/);
  expect(tasks).toHaveLength(0);
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

test("requeueing asks where a worker would lose the task", async () => {
  const tasks = [makeTask(developer, { title: "runs", state: "dispatched" }), makeTask(developer)];
  const { user, changeTasks } = await setUp(tasks);
  await user.keyboard("r");
  const dialog = await screen.findByRole("dialog", { name: "Requeue 2 tasks?" });
  expect(dialog.textContent).toContain("Workers have 1 of them now.");
  expect(changeTasks).not.toHaveBeenCalled();
  await user.click(within(dialog).getByRole("button", { name: "Requeue 2 tasks" }));
  await screen.findByText(/2 tasks returned to the queue/);
});

test("bump to top goes one above the highest in the queue, and says if it is there already", async () => {
  const [one, two] = [makeTask(developer, { title: "one" }), makeTask(developer, { title: "two", priority: 60 })];
  const tasks = [one, two];
  const { user } = await setUp(tasks, {}, [one.id]);
  await user.click(screen.getByRole("button", { name: "Bump to top" }));
  await screen.findByText(/bumped to the top, priority 61/);
  expect(priorities(tasks)).toEqual([61, 60]);
  await user.click(screen.getByRole("button", { name: "Bump to top" }));
  await screen.findByText(/is at the top of the queue already/);
  expect(priorities(tasks)).toEqual([61, 60]);
});

test("nothing goes above the highest priority there is", async () => {
  const tasks = [makeTask(developer, { title: "one" }), makeTask(developer, { title: "top", priority: maxPriority })];
  const { user } = await setUp(
    tasks,
    {},
    tasks.slice(0, 1).map(({ id }) => id),
  );
  await user.click(screen.getByRole("button", { name: "Bump to top" }));
  await screen.findByText(/set to 32,767, the highest priority there is/);
  expect(priorities(tasks)).toEqual([maxPriority, maxPriority]);
});

test("all that is shown can be selected, and none", async () => {
  const { user, onSelectAll, onClear } = await setUp(three());
  await user.click(screen.getByRole("button", { name: "Select all 5" }));
  expect(onSelectAll).toHaveBeenCalledOnce();
  await user.click(screen.getByRole("button", { name: "Clear the selection" }));
  expect(onClear).toHaveBeenCalledOnce();
});
