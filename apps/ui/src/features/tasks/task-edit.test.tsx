// Editing a task in place: saved to the version that was seen, and meeting somebody else's change.
import type { Event } from "@task-service/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeLive, fakeAuth, renderScreens } from "../../testing/render-screens.tsx";
import { makeEvent } from "../../testing/resource-factory.ts";
import { setUp } from "../../testing/task-page-world.ts";

// Typing into a whole screen takes its time on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

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

test("a newer version that cannot be read is a refusal, and what was written stays", async () => {
  const { task, tasks, client, changeElsewhere } = setUp();
  let isDown = false;
  const failing: typeof client = {
    ...client,
    getTask: (input) => (isDown ? Promise.reject(new TypeError("Failed to fetch")) : client.getTask(input)),
  };
  const { user } = renderScreens(failing, `/tasks/${task.id}`);
  await user.click(await screen.findByRole("button", { name: "Edit title" }));
  const input = screen.getByRole<HTMLInputElement>("textbox", { name: "Title" });
  await user.clear(input);
  await user.type(input, "Mine");
  changeElsewhere({ title: "Theirs" });
  isDown = true;
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("It has changed.")).toBeDefined();
  expect(input.value).toBe("Mine");
  expect(tasks[0]?.title).toBe("Theirs");
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

test("a click beside drops nothing: the label that is half typed is taken over and the editor stays", async () => {
  const { task, tasks, client } = setUp();
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  await user.click(await screen.findByRole("button", { name: "Edit labels" }));
  await user.type(await screen.findByRole("combobox", { name: "Labels" }), "urg");
  await user.click(screen.getByRole("heading", { level: 1 }));
  await user.click(screen.getByRole("button", { name: "Edit labels" }));
  expect(await screen.findByText("urg")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(tasks[0]?.labels).toEqual(["urg"]), { timeout: 5000 });
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit labels" }));
});

test("a click beside keeps the address of a link that is half typed", async () => {
  const { task, client } = setUp();
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  const open = await screen.findByRole("button", { name: "Link an issue or pull request" });
  await user.click(open);
  const name = "Address of the issue or pull request";
  await user.type(await screen.findByRole("textbox", { name }), "https://git");
  await user.click(screen.getByRole("heading", { level: 1 }));
  await user.click(open);
  expect(screen.getByRole<HTMLInputElement>("textbox", { name }).value).toBe("https://git");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("textbox", { name })).toBeNull(), { timeout: 5000 });
});

test("while a change is being saved its field is locked, so that nothing typed is gone once it is", async () => {
  const { task, client } = setUp();
  const update = vi.spyOn(client, "updateTask").mockImplementation(() => new Promise(() => undefined));
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  await user.click(await screen.findByRole("button", { name: "Edit title" }));
  const title = screen.getByRole<HTMLInputElement>("textbox", { name: "Title" });
  await user.type(title, "!{Enter}");
  await waitFor(() => expect(update).toHaveBeenCalledOnce(), { timeout: 5000 });
  await user.type(title, " too late");
  expect(title.value).toBe("Fix the login!");

  await user.click(screen.getByRole("button", { name: "Edit labels" }));
  const labels = await screen.findByRole<HTMLInputElement>("combobox", { name: "Labels" });
  await user.type(labels, "a{Enter}");
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(update).toHaveBeenCalledTimes(2), { timeout: 5000 });
  expect(labels.matches(":disabled") || labels.closest("fieldset")?.disabled).toBe(true);
});

test("a refused change leaves the focus in its editor, and Escape closes it", async () => {
  const { task, client } = setUp();
  const answer = Promise.withResolvers<never>();
  vi.spyOn(client, "updateTask").mockReturnValue(answer.promise);
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  await user.click(await screen.findByRole("button", { name: "Edit labels" }));
  const labels = await screen.findByRole<HTMLInputElement>("combobox", { name: "Labels" });
  await user.type(labels, "a{Enter}");
  const dialog = screen.getByRole("dialog");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(labels.closest("fieldset")?.disabled).toBe(true), { timeout: 5000 });
  // As a browser does with what is disabled.
  const heading = screen.getByRole("heading", { level: 1, hidden: true });
  heading.focus();
  heading.blur();
  expect(document.activeElement).toBe(document.body);
  answer.reject(new TypeError("Failed to fetch"));
  await within(dialog).findByText("The task service could not be reached.");
  expect(dialog.contains(document.activeElement)).toBe(true);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), { timeout: 5000 });
});
