// A form that is left before the answer is there: what it sent does not come back as something unfinished.
import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { developer, world } from "../../testing/new-task-world.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { fill } from "../../testing/responder-world.ts";
import { setUp } from "../../testing/task-page-world.ts";

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

const kept = () => JSON.stringify({ ...localStorage });

test("a note", async () => {
  const { task, client } = setUp();
  const answer = Promise.withResolvers<void>();
  const create = client.createNote;
  client.createNote = (input) => answer.promise.then(() => create(input));
  const { user, history } = renderScreens(client, `/tasks/${task.id}`);
  await fill(user, await screen.findByRole("textbox", { name: "New note" }), "Said once");
  await user.click(screen.getByRole("button", { name: "Leave note" }));
  act(() => history.push("/agents"));
  await screen.findByRole("heading", { level: 1, name: "Agents" });
  expect(kept()).toContain("Said once");
  answer.resolve();
  await waitFor(() => expect(kept()).not.toContain("Said once"), { timeout: 5000 });
});

test.each(["Create task", "Create another"])("a new task, by “%s”; nobody is taken to it", async (button) => {
  const answer = Promise.withResolvers<void>();
  const client = createFakeClient(world());
  const create = client.createTask;
  client.createTask = (input) => answer.promise.then(() => create(input));
  const { user, history } = renderScreens(client, `/tasks/new?agent=${developer.id}`);
  await fill(user, await screen.findByRole("textbox", { name: "Prompt" }), "Said once");
  await user.click(screen.getByRole("button", { name: button }));
  act(() => history.push("/agents"));
  await screen.findByRole("heading", { level: 1, name: "Agents" });
  expect(kept()).toContain("Said once");
  answer.resolve();
  await waitFor(() => expect(kept()).not.toContain("Said once"), { timeout: 5000 });
  expect(history.location.pathname).toBe("/agents");
});
