// Notes on a task's page: left once, and what is typed meanwhile is the next one.
import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderScreens } from "../../testing/render-screens.tsx";
import { setUp } from "../../testing/task-page-world.ts";

// Typing into a whole screen takes its time on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

test("a note is left once, and those of others appear", async () => {
  const { task, client } = setUp();
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  const field = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "New note" });
  await user.type(field, "Mind the *gap*{Control>}{Enter}{/Control}");
  const notes = await screen.findByRole("list", { name: "Notes, newest first" });
  expect(await within(notes).findByText("gap")).toBeDefined();
  expect(field.value).toBe("");
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
