// A person as an executor: takes the next task, waits for one, and finds the one they had.
import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { createFakeClient, problem } from "../../testing/fake-client.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { developer, fill, held, makeWorld } from "../../testing/responder-world.ts";

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

test("a refusal ends the waiting with its words", async () => {
  const refuse = () => Promise.reject(problem("unknown_filter", "There is no such agent type."));
  const { user } = renderScreens(createFakeClient(makeWorld(), { takeNextTask: refuse }), "/respond");
  await user.click(await screen.findByRole("button", { name: "Take the next task" }));
  expect(await screen.findByText("There is no such agent type.")).toBeDefined();
});

test("a damaged address is one without a task in hand", async () => {
  const client = createFakeClient(makeWorld());
  const read = vi.spyOn(client, "getDispatch");
  renderScreens(client, "/respond?dispatch=01900000-0000-7&agent=acme/developer");
  expect(await screen.findByRole("button", { name: "Take the next task" })).toBeDefined();
  expect(read).not.toHaveBeenCalled();
});
