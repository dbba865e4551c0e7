// The task page: what it shows, editing it in place, and meeting somebody else's change.
import type { Event } from "@task-service/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { createFakeLive, fakeAuth, renderScreens } from "../../testing/render-screens.tsx";
import { makeAgentType, makeDispatch, makeEvent, makeOrganization, makeTask } from "../../testing/resource-factory.ts";

// Typing into a whole screen takes its time on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const organization = makeOrganization();
const developer = makeAgentType(organization);

const setUp = (change: Parameters<typeof makeTask>[1] = {}) => {
  const task = makeTask(developer, { title: "Fix the login", ...change });
  const child = makeTask(developer, { title: "Review it", parent_id: task.id, root_id: task.id, depth: 1 });
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
  return { task, child, tasks, events, client, changeElsewhere };
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

test("an unknown task has a page of its own", async () => {
  renderScreens(setUp().client, "/tasks/01900000-0000-7000-8000-ffffffffffff");
  expect(await screen.findByRole("heading", { name: "There is no such task" })).toBeDefined();
});

test("a change elsewhere is told beside the editor, and what is being written stays", async () => {
  const { task, events, client, changeElsewhere } = setUp();
  const fake = createFakeLive(true);
  const { user } = renderScreens(client, `/tasks/${task.id}`, fakeAuth("alice"), fake);
  await user.click(await screen.findByRole("button", { name: "Edit title" }));
  const input = screen.getByRole<HTMLInputElement>("textbox", { name: "Title" });
  await user.clear(input);
  await user.type(input, "Mine");
  changeElsewhere({ title: "Theirs" });
  const data = { changes: { title: { old: "Fix the login", new: "Theirs" } } };
  events.unshift(makeEvent(task, { type: "task.updated", actor: { sub: "bob", name: "bob" }, data }));
  fake.tell(events[0] as Event);
  const word = await screen.findByText(/changed the title meanwhile/);
  await waitFor(() =>
    expect(word.textContent).toBe("bob changed the title meanwhile, to “Theirs”. What you write stays."),
  );
  expect(input.value).toBe("Mine");

  await user.click(screen.getByRole("button", { name: "Save" }));
  const dialog = await screen.findByRole("dialog", { name: "The task has changed since you opened it" });
  await user.click(within(dialog).getByRole("button", { name: "Go on editing mine" }));
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Title" }).value).toBe("Mine");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByRole("heading", { level: 1, name: "Mine" })).toBeDefined();
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

test("a note is left once, and those of others appear", async () => {
  const { task, client } = setUp();
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  const field = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "New note" });
  await user.type(field, "Mind the *gap*{Control>}{Enter}{/Control}");
  const notes = await screen.findByRole("list", { name: "Notes, newest first" });
  expect(await within(notes).findByText("gap")).toBeDefined();
  expect(field.value).toBe("");
});

test("the history tells old and new values, and shows what became of the prompt", async () => {
  const { task, events, client } = setUp();
  const changes = { labels: { old: ["a", "b"], new: ["b", "c"] }, prompt: { old: "Do it.", new: "Do it well." } };
  events.unshift(makeEvent(task, { type: "task.updated", data: { changes } }));
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  const history = await screen.findByRole("region", { name: "History" });
  expect(
    await within(history).findByText(/added the label .*c.* and removed the label .*a.*, changed the prompt/),
  ).toBeDefined();
  await user.click(within(history).getByRole("button", { name: "Show the change of the prompt" }));
  expect(within(history).getByRole("insertion").textContent).toBe("+Do it well.");
  expect(within(history).getByText("created it")).toBeDefined();
  await user.click(within(history).getByRole("checkbox", { name: "Changes only" }));
  await waitFor(() => expect(within(history).queryByText("created it")).toBeNull());
});

test("a dispatch opens the persona as it was, and what changed in it since", async () => {
  const { task, tasks, events } = setUp({ state: "dispatched" });
  const then = { ...developer, body: "Write code.\n<script>window.hacked = true</script>" };
  const ended = { ended_at: "2026-11-21T09:30:42.000Z", outcome: "released" as const, reason: "No access" };
  const dispatches = [makeDispatch(task, then, ended)];
  const client = createFakeClient({
    organizations: [organization],
    agentTypes: [developer],
    tasks,
    events,
    dispatches,
  });
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  const row = await screen.findByRole("row", { name: /runner-1/ });
  expect(row.textContent).toContain("42 s");
  expect(row.textContent).toContain("No access");
  await user.click(within(row).getByRole("button", { name: "Persona of attempt 1" }));
  const dialog = await screen.findByRole("dialog", { name: "The persona of attempt 1" });
  expect(await within(dialog).findByText(/Write code\./)).toBeDefined();
  expect(dialog.querySelector("script")).toBeNull();
  await user.click(within(dialog).getByRole("radio", { name: "Changes since" }));
  expect(await within(dialog).findByText("Since then: 1 line added, 2 removed.")).toBeDefined();
});

test("deleted elsewhere while it is edited, what was written can still be copied", async () => {
  const { task, tasks, client } = setUp();
  const fake = createFakeLive(true);
  const { user } = renderScreens(client, `/tasks/${task.id}`, fakeAuth("alice"), fake);
  await user.click(await screen.findByRole("button", { name: "Edit prompt" }));
  await user.type(screen.getByRole("textbox", { name: "Prompt" }), " More.");
  tasks.splice(0, 1);
  fake.tell(makeEvent(task, { type: "task.deleted" }));
  expect(await screen.findByText("This task was deleted")).toBeDefined();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Prompt" }).value).toBe("Do it. More.");
});

test("what is typed while a note is on its way is the next one", async () => {
  const { task, client } = setUp();
  const answer = Promise.withResolvers<void>();
  const create = client.createNote;
  client.createNote = async (input) => {
    await answer.promise;
    return create(input);
  };
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  const field = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "New note" });
  await user.type(field, "First{Control>}{Enter}{/Control}");
  await user.clear(field);
  await user.type(field, "Second");
  answer.resolve();
  const notes = await screen.findByRole("list", { name: "Notes, newest first" });
  expect(await within(notes).findByText("First")).toBeDefined();
  expect(field.value).toBe("Second");
});
