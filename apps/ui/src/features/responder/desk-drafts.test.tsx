// What was begun at the desk and not sent, and what was sent while the desk was left.
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { fill, held } from "../../testing/responder-world.ts";

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

const kept = () => JSON.stringify({ ...localStorage });

test("a note and a follow-up whose answer comes once the desk is left do not come back as unfinished", async () => {
  const world = held();
  const known = createFakeClient(world);
  const answer = Promise.withResolvers<void>();
  const client = createFakeClient(world, {
    createNote: (input) => answer.promise.then(() => known.createNote(input)),
    createTask: (input) => answer.promise.then(() => known.createTask(input)),
  });
  const { user, history } = renderScreens(client, `/respond?dispatch=${world.dispatch.id}`);
  await fill(user, await screen.findByRole("textbox", { name: "Leave a note" }), "Said once");
  await user.click(screen.getByRole("button", { name: "Leave note" }));
  await user.click(screen.getByRole("button", { name: "Create a follow-up" }));
  await user.click(screen.getByRole("combobox", { name: "Agent type" }));
  await user.click(await screen.findByRole("option", { name: "Tester" }));
  await fill(user, screen.getByRole("textbox", { name: "Prompt" }), "Asked once");
  await user.click(screen.getByRole("button", { name: "Create" }));
  act(() => history.push("/agents"));
  await screen.findByRole("heading", { level: 1, name: "Agents" });
  expect(kept()).toMatch(/Said once.*Asked once|Asked once.*Said once/);
  answer.resolve();
  await waitFor(() => expect(kept()).not.toMatch(/Said once|Asked once/), { timeout: 5000 });
});

test("the numbers of tokens are locked while the answer is being saved, so that none is dropped", async () => {
  const world = held();
  const answer = Promise.withResolvers<void>();
  const known = createFakeClient(world);
  const client = createFakeClient(world, {
    updateTask: (input) => answer.promise.then(() => known.updateTask(input)),
  });
  const { user } = renderScreens(client, `/respond?dispatch=${world.dispatch.id}`);
  await fill(user, await screen.findByRole("textbox", { name: "Your answer" }), "Done");
  const tokens = screen.getByRole<HTMLInputElement>("textbox", { name: "Input tokens" });
  await fill(user, tokens, "12");
  await user.click(screen.getByRole("button", { name: "Save answer" }));
  await waitFor(() => expect(tokens.readOnly).toBe(true), { timeout: 5000 });
  answer.resolve();
  await waitFor(() => expect(tokens.readOnly).toBe(false), { timeout: 5000 });
  expect(tokens.value).toBe("12");
});

test("a follow-up that was begun stands open after a reload, and the browser asks before it closes over it", async () => {
  const world = held();
  const client = createFakeClient(world);
  const path = `/respond?dispatch=${world.dispatch.id}`;
  const { user } = renderScreens(client, path);
  await user.click(await screen.findByRole("button", { name: "Create a follow-up" }));
  await fill(user, screen.getByRole("textbox", { name: "Prompt" }), "Look again");
  cleanup();
  renderScreens(client, path);
  expect(await screen.findByDisplayValue("Look again")).toBeDefined();
  expect(screen.getByRole("button", { name: "Create a follow-up" }).getAttribute("aria-expanded")).toBe("true");
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);
});

test("a refusal to give the task back is gone once the question is asked again", async () => {
  const world = held();
  const client = createFakeClient(world, { releaseDispatch: () => Promise.reject(new TypeError("Failed to fetch")) });
  const { user } = renderScreens(client, `/respond?dispatch=${world.dispatch.id}`);
  await user.click(await screen.findByRole("button", { name: "Give back…" }));
  await user.click(await screen.findByRole("button", { name: "Give back" }));
  const refusal = "The task service could not be reached.";
  expect(await screen.findByText(refusal)).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Keep it" }));
  await user.click(screen.getByRole("button", { name: "Give back…" }));
  expect(await screen.findByRole("button", { name: "Keep it" })).toBeDefined();
  expect(screen.queryByText(refusal)).toBeNull();
});
