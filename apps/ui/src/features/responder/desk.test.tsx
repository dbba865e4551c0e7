// A task in a person's hands: answered, given back, and nothing lost when it is taken away.
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { createFakeLive, fakeAuth, renderScreens } from "../../testing/render-screens.tsx";
import { fill, held } from "../../testing/responder-world.ts";

beforeEach(() => localStorage.clear());

test("a task that somebody requeued is said to be gone, and the text is kept", async () => {
  const world = held();
  const live = createFakeLive(true);
  const { user } = renderScreens(
    createFakeClient(world),
    `/respond?dispatch=${world.dispatch.id}`,
    fakeAuth("alice"),
    live,
  );
  await fill(user, await screen.findByRole("textbox", { name: "Your answer" }), "Nearly done");
  Object.assign(world.dispatch, { ended_at: new Date().toISOString(), outcome: "requeued", reason: "Too slow" });
  act(() => live.tell("anything"));
  expect(await screen.findByText("This task is no longer yours")).toBeDefined();
  expect(screen.getByText("Too slow")).toBeDefined();
  const kept = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "What you wrote" });
  expect(kept.value).toBe("Nearly done");
  expect(screen.queryByRole("button", { name: "Save answer" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Back to taking tasks" }));
  expect(await screen.findByRole("button", { name: "Take the next task" })).toBeDefined();
});

test("a refused sign of life has it read what became of the task", async () => {
  const world = held();
  const known = createFakeClient(world);
  const client = createFakeClient(world, {
    heartbeatDispatch: async (input) => {
      Object.assign(world.dispatch, { ended_at: new Date().toISOString(), outcome: "expired" });
      return known.heartbeatDispatch(input);
    },
  });
  renderScreens(client, `/respond?dispatch=${world.dispatch.id}`, fakeAuth("alice"), createFakeLive(true));
  expect(await screen.findByText(/Nothing was heard from this page for five minutes/)).toBeDefined();
});

test("gives a task back with a reason", async () => {
  const world = held();
  const { user } = renderScreens(createFakeClient(world), `/respond?dispatch=${world.dispatch.id}`);
  await user.click(await screen.findByRole("button", { name: "Give back…" }));
  const dialog = await screen.findByRole("dialog", { name: "Give the task back?" });
  await fill(user, within(dialog).getByRole("textbox", { name: "Reason" }), "Needs a lawyer");
  await user.click(within(dialog).getByRole("button", { name: "Give back" }));
  expect(await screen.findByRole("button", { name: "Take the next task" })).toBeDefined();
  expect(world.dispatch).toMatchObject({ outcome: "released", reason: "Needs a lawyer" });
});

test("an answer never takes the place of a result it has not seen", async () => {
  const world = held();
  const { user } = renderScreens(createFakeClient(world), `/respond?dispatch=${world.dispatch.id}`);
  await fill(user, await screen.findByRole("textbox", { name: "Your answer" }), "Mine");
  const task = world.tasks.find(({ id }) => id === world.dispatch.task_id) as (typeof world.tasks)[number];
  world.tasks[world.tasks.indexOf(task)] = { ...task, result: "Theirs", version: task.version + 1 };
  await user.click(screen.getByRole("button", { name: "Save answer" }));
  const notice = (await screen.findByText("Theirs")).closest("[role=alert]") as HTMLElement;
  const resultNow = () => world.tasks.find(({ id }) => id === task.id)?.result;
  expect(resultNow()).toBe("Theirs");
  await user.click(within(notice).getByRole("button", { name: "Put mine in its place when I save" }));
  await user.click(screen.getByRole("button", { name: "Save answer" }));
  await waitFor(() => expect(resultNow()).toBe("Mine"), { timeout: 5000 });
});

test("leaves a note", async () => {
  const world = held();
  const { user } = renderScreens(createFakeClient(world), `/respond?dispatch=${world.dispatch.id}`);
  await fill(user, await screen.findByRole("textbox", { name: "Leave a note" }), "Seen before");
  await user.click(screen.getByRole("button", { name: "Leave note" }));
  expect(await screen.findByText("Seen before")).toBeDefined();
});

test("creates a follow-up without leaving the task", async () => {
  const { user } = renderScreens(createFakeClient(held()), "/respond");
  await screen.findByRole("heading", { level: 1, name: "Mend it" });
  await user.click(screen.getByRole("button", { name: "Create a follow-up" }));
  await user.click(screen.getByRole("combobox", { name: "Agent type" }));
  await user.click(await screen.findByRole("option", { name: "Tester" }));
  await fill(user, screen.getByRole("textbox", { name: "Prompt" }), "Look at it again");
  await user.click(screen.getByRole("button", { name: "Create" }));
  expect(await screen.findByRole("link", { name: "Look at it again" })).toBeDefined();
});

test("what is written while the answer is being saved stays, also in the browser, and is not finished away", async () => {
  const world = held();
  const client = createFakeClient(world);
  const answer = Promise.withResolvers<void>();
  const update = client.updateTask;
  client.updateTask = async (input) => {
    await answer.promise;
    return update(input);
  };
  const { user } = renderScreens(client, `/respond?dispatch=${world.dispatch.id}`);
  const field = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Your answer" });
  await fill(user, field, "Half");
  await user.click(screen.getByRole("button", { name: "Save and finish" }));
  await fill(user, field, " and more");
  answer.resolve();
  expect(await screen.findByText(/You wrote more while it was being saved/)).toBeDefined();
  expect(field.value).toBe("Half and more");
  expect(localStorage.getItem(`answer/${world.dispatch.id}`)).toContain("Half and more");
  expect(screen.getByText("Not saved yet.")).toBeDefined();
});

test("a click beside the question keeps the reason that is half typed", async () => {
  const world = held();
  const { user } = renderScreens(createFakeClient(world), `/respond?dispatch=${world.dispatch.id}`);
  await user.click(await screen.findByRole("button", { name: "Give back…" }));
  const dialog = await screen.findByRole("dialog", { name: "Give the task back?" });
  await fill(user, within(dialog).getByRole("textbox", { name: "Reason" }), "Needs a law");
  await user.click(document.querySelector(".mantine-Modal-inner") as HTMLElement);
  await user.click(screen.getByRole("button", { name: "Keep it" }));
  await user.click(screen.getByRole("button", { name: "Give back…" }));
  const again = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Reason" });
  expect(again.value).toBe("Needs a law");
});

test("while it is being finished the answer is locked, and says so", async () => {
  const world = held();
  const finish = vi.fn(() => new Promise<never>(() => undefined));
  const { user } = renderScreens(
    createFakeClient(world, { finishDispatch: finish }),
    `/respond?dispatch=${world.dispatch.id}`,
  );
  const field = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Your answer" });
  await fill(user, field, "Done");
  await user.click(screen.getByRole("button", { name: "Save and finish" }));
  await waitFor(() => expect(finish).toHaveBeenCalled(), { timeout: 5000 });
  await fill(user, field, " too late");
  expect(field.value).toBe("Done");
  expect(screen.getByText("Finishing: nothing can be changed any more.")).toBeDefined();
});

test("what is written while a note or a follow-up is on its way is the next one, also after a reload", async () => {
  const world = held();
  const known = createFakeClient(world);
  const answer = Promise.withResolvers<void>();
  const client = createFakeClient(world, {
    createNote: (input) => answer.promise.then(() => known.createNote(input)),
    createTask: (input) => answer.promise.then(() => known.createTask(input)),
  });
  const { user } = renderScreens(client, `/respond?dispatch=${world.dispatch.id}`);
  const note = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Leave a note" });
  await fill(user, note, "First note");
  await user.click(screen.getByRole("button", { name: "Leave note" }));
  await fill(user, note, ", then more");
  await user.click(screen.getByRole("button", { name: "Create a follow-up" }));
  await user.click(screen.getByRole("combobox", { name: "Agent type" }));
  await user.click(await screen.findByRole("option", { name: "Tester" }));
  const prompt = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Prompt" });
  await fill(user, prompt, "First step");
  await user.click(screen.getByRole("button", { name: "Create" }));
  await fill(user, prompt, ", second step");
  answer.resolve();
  expect(await screen.findByText("First note")).toBeDefined();
  expect(await screen.findByRole("link", { name: "First step" })).toBeDefined();
  expect(note.value).toBe("First note, then more");
  expect(prompt.value).toBe("First step, second step");

  cleanup();
  renderScreens(client, `/respond?dispatch=${world.dispatch.id}`);
  expect(await screen.findByDisplayValue("First note, then more")).toBeDefined();
  expect(await screen.findByDisplayValue("First step, second step")).toBeDefined();
});

test.each(["finished", "given back"])("a task that was %s here is not said to be taken away", async (end) => {
  const world = held();
  const known = createFakeClient(world);
  const live = createFakeLive(true);
  const answer = Promise.withResolvers<void>();
  /** The news of it is here before the answer is. */
  const tellFirst = async <T,>(ended: T): Promise<T> => {
    act(() => live.tell("anything"));
    await answer.promise;
    return ended;
  };
  /** Its number of attempts tells on the screen that the end was read. */
  const read: typeof known.getDispatch = async (input) => {
    const dispatch = await known.getDispatch(input);
    return dispatch.ended_at === null ? dispatch : { ...dispatch, attempt: 77 };
  };
  const client = createFakeClient(world, {
    getDispatch: read,
    finishDispatch: async (input) => tellFirst(await known.finishDispatch(input)),
    releaseDispatch: async (input) => tellFirst(await known.releaseDispatch(input)),
  });
  const { user } = renderScreens(client, `/respond?dispatch=${world.dispatch.id}`, fakeAuth("alice"), live);
  await fill(user, await screen.findByRole("textbox", { name: "Your answer" }), "Done");
  if (end === "finished") await user.click(screen.getByRole("button", { name: "Save and finish" }));
  else {
    await user.click(screen.getByRole("button", { name: "Give back…" }));
    await user.click(await screen.findByRole("button", { name: "Give back" }));
  }
  expect(await screen.findByText(/attempt 77/)).toBeDefined();
  expect(screen.queryByText("This task is no longer yours")).toBeNull();
  answer.resolve();
  expect(await screen.findByRole("button", { name: "Take the next task" })).toBeDefined();
});
