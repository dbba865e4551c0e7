// The navigation: how long the queue is stands beside the way to it, on every screen.
import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeClient } from "../testing/fake-client.ts";
import { renderScreens } from "../testing/render-screens.tsx";
import { makeAgentType, makeOrganization, makeTask } from "../testing/resource-factory.ts";

const organization = makeOrganization();
const developer = makeAgentType(organization);
const world = { organizations: [organization], agentTypes: [developer] };
const queueLink = async () =>
  within(await screen.findByRole("navigation", { name: "Screens" })).getByRole("link", { name: "Queue" });

test("the way to the queue says how long it is, where another screen is open too", async () => {
  const tasks = ["One", "Two"].map((title) => makeTask(developer, { title }));
  renderScreens(createFakeClient({ ...world, tasks }), "/agents");
  const link = await queueLink();
  await vi.waitFor(() => expect(link.textContent).toBe("Queue2"), { timeout: 5000 });
});

test("the queue's screen counts once for itself and for the navigation", async () => {
  const counted = vi.fn(async () => ({ count: 300, exact: true }));
  const client = createFakeClient({ ...world, tasks: [makeTask(developer)] }, { countTasks: counted });
  renderScreens(client, "/");
  const link = await queueLink();
  await vi.waitFor(() => expect(link.textContent).toBe("Queue300"), { timeout: 5000 });
  expect(counted).toHaveBeenCalledTimes(1);
});

test("an empty queue has no number", async () => {
  const counted = vi.fn(async () => ({ count: 0, exact: true }));
  renderScreens(createFakeClient(world, { countTasks: counted }), "/agents");
  await vi.waitFor(() => expect(counted).toHaveBeenCalled(), { timeout: 5000 });
  expect((await queueLink()).textContent).toBe("Queue");
});
