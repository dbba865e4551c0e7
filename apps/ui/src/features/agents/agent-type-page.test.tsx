// The page of an agent type: it follows its persona, and its history says what each version changed.
import type { AgentType } from "@task-service/contract";
import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { createFakeLive, fakeAuth, renderScreens } from "../../testing/render-screens.tsx";
import { makeAgentType, makeOrganization, makeVersion } from "../../testing/resource-factory.ts";

const organization = makeOrganization();
const planner = makeAgentType(organization, { slug: "planner", body: "# Role\n\nYou plan." });
const first = makeVersion(planner, { body: "# Role\n\nYou wait.\n" });
const second = makeVersion(planner, { body: "# Role\n\nYou plan.\n\nAsk first.\n" });

test("a synchronization that an event tells of brings the new persona", async () => {
  const agentTypes = [planner];
  const live = createFakeLive(true);
  renderScreens(createFakeClient({ agentTypes }), `/agents/${planner.id}`, fakeAuth("alice"), live);
  await screen.findByText("You plan.");
  agentTypes[0] = { ...planner, body: "# Role\n\nYou plan at night." };
  live.tell({
    id: "1",
    at: planner.last_synced_at,
    type: "agents.synced",
    organization_id: organization.id,
    task_id: null,
    actor: { sub: "service", name: "service" },
    data: {},
  });
  expect(await screen.findByText("You plan at night.")).toBeDefined();
});

test("the history is read when it is opened, and says what a version changed", async () => {
  const client = createFakeClient({ agentTypes: [planner], versions: [second, first] });
  const read = vi.spyOn(client, "listAgentTypeVersions");
  const { user, history } = renderScreens(client, `/agents/${planner.id}`);
  const open = await screen.findByRole("button", { name: "History" });
  expect(read).not.toHaveBeenCalled();
  await user.click(open);

  const versions = within(await screen.findByRole("list", { name: "Versions" })).getAllByRole("listitem");
  expect(versions.map((item) => within(item).getByRole("button").textContent)).toEqual([
    "3 lines added, 1 removed",
    "First version",
  ]);
  await user.click(screen.getByRole("button", { name: "3 lines added, 1 removed" }));
  expect((await screen.findAllByRole("insertion")).map(({ textContent }) => textContent)).toEqual([
    "+You plan.",
    "+",
    "+Ask first.",
  ]);
  expect(screen.getByRole("deletion").textContent).toBe("−You wait.");
  expect(history.location.search).toBe(`?version=${second.id}`);
});

test("a link to a version opens it, also where it stands on a later page", async () => {
  const versions = { [""]: [second], older: [first] } as Record<string, (typeof first)[]>;
  const client = createFakeClient(
    { agentTypes: [planner as AgentType] },
    {
      listAgentTypeVersions: async ({ query }) => ({
        items: versions[query?.cursor ?? ""] ?? [],
        next_cursor: query?.cursor ? null : "older",
      }),
    },
  );
  renderScreens(client, `/agents/${planner.id}?version=${first.id}`);
  const button = await screen.findByRole("button", { name: "First version" });
  expect(button.getAttribute("aria-expanded")).toBe("true");
  expect(await screen.findByText(/You wait\./)).toBeDefined();
});
