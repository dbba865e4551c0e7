// The list of agent types: inactive ones apart, found by words that stand in the address, and what to do without any.
import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeClient, problem } from "../../testing/fake-client.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { makeAgentType, makeOrganization } from "../../testing/resource-factory.ts";

const acme = makeOrganization({ slug: "acme", name: "Acme" });
const globex = makeOrganization({ slug: "globex", name: "Globex" });
const world = () => ({
  organizations: [acme, globex],
  agentTypes: [
    makeAgentType(acme, { slug: "developer", name: "Developer", description: "Writes code" }),
    makeAgentType(acme, { slug: "poet", name: "Poet", description: "Writes verse", is_active: false }),
    makeAgentType(globex, { slug: "tester", name: "Tester", description: "Tries things" }),
  ],
});
const names = () =>
  screen.queryAllByRole("link", { name: /^(?:Developer|Poet|Tester)$/ }).map((link) => link.textContent);

test("inactive ones stand apart, and words find what they name; the address keeps them", async () => {
  const { user, history } = renderScreens(createFakeClient(world()), "/agents");
  const section = await screen.findByRole("region", { name: "Acme" });
  expect(within(section).getByText(/^Inactive/)).toBeDefined();
  await user.keyboard("/");
  await user.keyboard("writes dev");
  await vi.waitFor(() => expect(names()).toEqual(["Developer"]), { timeout: 5000 });
  expect(screen.queryByRole("region", { name: "Globex" })).toBeNull();
  expect(history.location.search).toBe("?q=writes+dev");
  await user.keyboard("{Escape}");
  await vi.waitFor(() => expect(names()).toEqual(["Developer", "Poet", "Tester"]), { timeout: 5000 });
});

test("words that find nothing can be cleared", async () => {
  const { user } = renderScreens(createFakeClient(world()), "/agents?q=plumber");
  await screen.findByText("No agent type is found by these words");
  const [clear] = screen.getAllByRole("button", { name: "Clear the search" });
  await user.click(clear as HTMLElement);
  expect(names()).toHaveLength(3);
});

test("without a repository it says which one to create, step by step", async () => {
  const empty = makeOrganization({ slug: "initech", name: "Initech" });
  const organizations = [{ ...empty, sync: { ...empty.sync, status: "not_configured" as const } }];
  renderScreens(createFakeClient({ organizations }), "/agents");
  await screen.findByText("No agent types are configured for Initech.");
  const steps = screen.getAllByRole("listitem").filter((item) => item.closest("ol"));
  expect(steps.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("initech-agents"),
    expect.stringContaining("personas/<slug>.md"),
    expect.stringContaining("Sync now"),
  ]);
});

test("a number for words, as somebody typed the address, is searched for like any", async () => {
  const { agentTypes, ...rest } = world();
  const named = makeAgentType(globex, { slug: "unit-0123", name: "Poet" });
  renderScreens(createFakeClient({ ...rest, agentTypes: [...agentTypes, named] }), "/agents?q=0123");
  await screen.findByRole("region", { name: "Globex" });
  expect(names()).toEqual(["Poet"]);
  expect(screen.queryByRole("region", { name: "Acme" })).toBeNull();
});

test("one organization's agent types have an address, which the way back to all is shown with", async () => {
  const { user, history } = renderScreens(createFakeClient(world()), "/agents?organization=globex");
  expect(await screen.findByRole("heading", { level: 1, name: "Agents of Globex" })).toBeDefined();
  expect(await screen.findByText("1 active agent type")).toBeDefined();
  await vi.waitFor(() => expect(names()).toEqual(["Tester"]), { timeout: 5000 });
  expect(screen.queryByRole("region", { name: "Acme" })).toBeNull();
  await user.click(screen.getByRole("combobox", { name: "Organization" }));
  await user.click(await screen.findByRole("option", { name: "Every organization" }));
  await vi.waitFor(() => expect(names()).toEqual(["Developer", "Poet", "Tester"]), { timeout: 5000 });
  expect(history.location.search).toBe("");
});

test("an organization that is not there is said to be none", async () => {
  const { user } = renderScreens(createFakeClient(world()), "/agents?organization=initech&q=dev");
  expect(await screen.findByText("There is no such organization")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Show every organization" }));
  await vi.waitFor(() => expect(names()).toEqual(["Developer"]), { timeout: 5000 });
});

test("what cannot be read is said once, and read again on request", async () => {
  let isDown = true;
  const { organizations, agentTypes } = world();
  const page = <T,>(items: T[]) =>
    isDown
      ? Promise.reject(problem("overloaded", "Try again in a moment."))
      : Promise.resolve({ items, next_cursor: null });
  const client = createFakeClient(
    {},
    { listOrganizations: () => page(organizations), listAgentTypes: () => page(agentTypes) },
  );
  const { user } = renderScreens(client, "/agents");
  expect(await screen.findByText("Could not load the agent types", {}, { timeout: 5000 })).toBeDefined();
  expect(screen.getAllByRole("alert")).toHaveLength(1);
  isDown = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await vi.waitFor(() => expect(names()).toEqual(["Developer", "Poet", "Tester"]), { timeout: 5000 });
  expect(screen.queryByRole("alert")).toBeNull();
});
