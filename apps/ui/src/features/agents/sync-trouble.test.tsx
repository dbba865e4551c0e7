// What the agents page says of a synchronization that found something: file, line, cause, and no wall of it.
import type { Sync, SyncFinding } from "@task-service/contract";
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { makeAgentType, makeOrganization } from "../../testing/resource-factory.ts";

const show = (sync: Partial<Sync>, { isEmpty = false } = {}) => {
  const plain = makeOrganization();
  const organization = { ...plain, sync: { ...plain.sync, ...sync } };
  const agentTypes = isEmpty ? [] : [makeAgentType(organization)];
  return renderScreens(createFakeClient({ organizations: [organization], agentTypes }), "/agents");
};

test("a refused file leads to its line at the commit that was read", async () => {
  const errors = [{ path: "personas/mïr.md", line: 3, detail: "`name` is missing." }];
  show({ status: "partial", commit: "abc", errors });
  const alert = await screen.findByRole("alert", { name: /Refused/ });
  expect(alert.textContent).toContain("personas/mïr.md");
  expect(alert.textContent).toContain("Line 3: name is missing.");
  expect(within(alert).getByRole("link", { name: "Line 3 of personas/mïr.md" }).getAttribute("href")).toBe(
    "https://git.example/acme/acme-agents/src/commit/abc/personas/m%C3%AFr.md?display=source#L3",
  );
});

test("many files are folded, several causes of one stand together", async () => {
  const warnings: SyncFinding[] = Array.from({ length: 80 }, (_, at) => ({
    path: `personas/${Math.floor(at / 2)}.md`,
    line: at,
    detail: "Odd.",
  }));
  const { user } = show({ warnings, commit: null });
  const alert = await screen.findByRole("alert", { name: "Worth a look" });
  expect(within(alert).queryAllByRole("link")).toEqual([]);
  expect(within(alert).getAllByText(/^personas/)).toHaveLength(3);
  await user.click(within(alert).getByRole("button", { name: "Show 37 more files" }));
  expect(within(alert).getAllByText(/^personas/)).toHaveLength(40);
});

test("a failure says that nothing was lost and what happens next", async () => {
  show({ status: "failed", message: "The git host answered 500." });
  const alert = await screen.findByRole("alert", { name: "The repository could not be read" });
  expect(alert.textContent).toContain("The git host answered 500. What was read last stays in use.");
  expect(screen.getByRole("button", { name: "Sync now" })).toBeDefined();
});

test("a failure before anything was read tells nobody to add files", async () => {
  show({ status: "failed", message: "The git host answered 500." }, { isEmpty: true });
  await screen.findByText(/could not be read: The git host answered 500\./);
  expect(screen.queryByText(/Add files/)).toBeNull();
  expect(screen.getAllByRole("button", { name: "Sync now" })).toHaveLength(1);
});
