// A person as an executor: takes, answers, gives back, and loses nothing when the task is taken away.
import { act, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { createFakeClient, problem } from "../../testing/fake-client.ts";
import { createFakeLive, fakeAuth, renderScreens } from "../../testing/render-screens.tsx";
import { makeAgentType, makeDispatch, makeOrganization, makeTask } from "../../testing/resource-factory.ts";

const organization = makeOrganization({ name: "Acme" });
const developer = makeAgentType(organization, { name: "Developer", body: "You are careful." });
const tester = makeAgentType(organization, { slug: "tester", name: "Tester" });

const makeWorld = () => ({
  organizations: [organization],
  agentTypes: [developer, tester],
  tasks: [
    makeTask(tester, { title: "Try it" }),
    makeTask(developer, { title: "Mend it", prompt: "Mend **all** of it." }),
  ],
  dispatches: [] as ReturnType<typeof makeDispatch>[],
  notes: [],
});

const held = (executor = "alice-web") => {
  const world = makeWorld();
  const [, task] = world.tasks;
  const dispatch = makeDispatch(task as (typeof world.tasks)[number], developer, {
    executor,
    actor: { sub: "alice", name: "alice" },
  });
  Object.assign(task ?? {}, { state: "dispatched", current_dispatch_id: dispatch.id });
  world.dispatches.push(dispatch);
  return { ...world, dispatch, task };
};

/** In one piece: what each key does is no question here. */
const fill = async (user: UserEvent, field: HTMLElement, text: string) => {
  await user.click(field);
  await user.paste(text);
};

beforeEach(() => localStorage.clear());

test("takes the next task of a chosen agent type, saves the answer and finishes", async () => {
  const world = makeWorld();
  const client = createFakeClient(world);
  const take = vi.spyOn(client, "takeNextTask");
  const { user, history } = renderScreens(client, "/respond?agent=acme/developer");
  await user.click(await screen.findByRole("button", { name: "Take the next task" }));
  const heading = await screen.findByRole("heading", { level: 1, name: "Mend it" });
  expect(document.activeElement).toBe(heading);
  expect(take.mock.lastCall?.[0]?.query).toMatchObject({
    executor: "alice-web",
    agent_type: [developer.id],
    lease_seconds: 300,
    claim_key: expect.any(String),
  });
  expect(await screen.findByText("You are careful.")).toBeDefined();
  await waitFor(() => expect(world.dispatches[0]?.ended_at).toBeNull());

  await fill(user, screen.getByRole("textbox", { name: "Your answer" }), "It is mended.");
  await user.click(screen.getByRole("button", { name: "Save and finish" }));
  expect(await screen.findByRole("button", { name: "Take the next task" })).toBeDefined();
  expect(world.tasks.find(({ title }) => title === "Mend it")?.result).toBe("It is mended.");
  expect(world.dispatches[0]?.outcome).toBe("finished");
  expect(history.location.search).toBe("?agent=acme%2Fdeveloper");
});

test("waits where nothing is queued, until told to stop", async () => {
  const world = makeWorld();
  let asked: AbortSignal | undefined;
  const client = createFakeClient(world, {
    takeNextTask: ({ signal } = {}) =>
      new Promise((_, reject) => {
        asked = signal;
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  const { user } = renderScreens(client, "/respond");
  await user.click(await screen.findByRole("button", { name: "Take the next task" }));
  expect(await screen.findByText(/Waiting for the next task/)).toBeDefined();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Stop waiting" }));
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("button", { name: "Take the next task" })).toBeDefined();
  expect(asked?.aborted).toBe(true);
});

test("a lost answer is asked for again with the same key", async () => {
  const world = makeWorld();
  const known = createFakeClient(world);
  const keys: unknown[] = [];
  const client = createFakeClient(world, {
    takeNextTask: async (input) => {
      keys.push(input?.query?.claim_key);
      if (keys.length === 1) throw new TypeError("Failed to fetch");
      return known.takeNextTask(input);
    },
  });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const { user } = renderScreens(client, "/respond");
    await user.click(await screen.findByRole("button", { name: "Take the next task" }));
    expect(await screen.findByText("The task service does not answer. Trying again…")).toBeDefined();
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(await screen.findByRole("heading", { level: 1, name: "Try it" })).toBeDefined();
    expect(keys[1]).toBe(keys[0]);
  } finally {
    vi.useRealTimers();
  }
});

test("a page opened anew finds the task it had, with what was written", async () => {
  const world = held();
  localStorage.setItem(
    `answer/${world.dispatch.id}`,
    JSON.stringify({ text: "Half an ans", replaces: null, at: Date.now() }),
  );
  const { history } = renderScreens(createFakeClient(world), "/respond");
  const answer = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Your answer" });
  expect(answer.value).toBe("Half an ans");
  expect(screen.getByText("Not saved yet.")).toBeDefined();
  expect(history.location.search).toBe(`?dispatch=${world.dispatch.id}`);
});

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

test("a refusal ends the waiting with its words", async () => {
  const refuse = () => Promise.reject(problem("unknown_filter", "There is no such agent type."));
  const { user } = renderScreens(createFakeClient(makeWorld(), { takeNextTask: refuse }), "/respond");
  await user.click(await screen.findByRole("button", { name: "Take the next task" }));
  expect(await screen.findByText("There is no such agent type.")).toBeDefined();
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
