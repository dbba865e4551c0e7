// The executors on screen: what each does, for whom, what it holds, and how to start the first one.
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { makeAgentType, makeExecutor, makeOrganization, makeTask } from "../../testing/resource-factory.ts";

const organization = makeOrganization();
const developer = makeAgentType(organization);
const tester = makeAgentType(organization, { slug: "tester" });

test("each executor says what it does, whom it serves and which tasks it holds", async () => {
  const task = makeTask(developer, { title: "Mend it", state: "dispatched", executor: "runner-1" });
  const executors = [
    makeExecutor({ live_dispatches: 2, free_slots: 0, is_waiting: false }),
    makeExecutor({
      executor: "runner-2",
      free_slots: 3,
      organization: { id: organization.id, slug: "acme" },
      agent_types: [developer, tester].map(({ id, slug }) => ({ id, slug })),
    }),
    makeExecutor({ executor: "runner-3", is_waiting: false }),
  ];
  renderScreens(
    createFakeClient({ organizations: [organization], agentTypes: [developer], tasks: [task], executors }),
    "/executors",
  );
  const of = (name: string) => screen.findByRole("listitem", { name });
  expect((await of("runner-1")).textContent).toMatch(/Working.*no free slot.*every agent type/);
  const held = await screen.findByRole("list", { name: "Tasks of runner-1" });
  expect(within(held).getByRole("link", { name: "Mend it" }).getAttribute("href")).toBe(`/tasks/${task.id}`);
  expect(within(held).getByRole("link", { name: "1 more task" }).getAttribute("href")).toBe("/tasks?state=running");
  expect((await of("runner-2")).textContent).toMatch(/Waiting for a task.*3 free slots.*developer and tester of acme/);
  expect((await of("runner-3")).textContent).toMatch(/Quiet/);
  expect(screen.getByText("3 executors seen in the last hour · 1 working · 1 waiting")).toBeDefined();
});

test("without one it says how to start it, and offers to take a task oneself", async () => {
  renderScreens(createFakeClient(), "/executors");
  expect(await screen.findByText("No executor was seen in the last hour")).toBeDefined();
  expect(screen.getByRole("region", { name: "Command" }).textContent).toContain("npx task-service run --slots 2 --");
  expect(screen.getByRole("link", { name: "Take a task yourself" }).getAttribute("href")).toBe("/respond");
});
