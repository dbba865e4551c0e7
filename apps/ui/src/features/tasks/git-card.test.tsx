// The git card: how the linked issue stands, in words; linking, refusals at the field, and removing the link.
import type { GitLink, GitState, Task } from "@task-service/contract";
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { createFakeLive, fakeAuth, renderScreens } from "../../testing/render-screens.tsx";
import { makeAgentType, makeEvent, makeOrganization, makeTask } from "../../testing/resource-factory.ts";

const developer = makeAgentType(makeOrganization());
const link: GitLink = {
  url: "https://git.example/acme/webshop/issues/12",
  kind: "issue",
  owner: "acme",
  repo: "webshop",
  number: 12,
};
const state: GitState = {
  kind: "issue",
  state: "open",
  draft: false,
  title: "The cart is empty",
  labels: ["bug"],
  html_url: "javascript:alert(1)",
  updated_at: "2026-11-21T09:30:00.000Z",
  synced_at: "2026-11-21T09:30:00.000Z",
};

const open = async (fields: Partial<Task>) => {
  const tasks = [makeTask(developer, fields)];
  const [task] = tasks as [Task];
  const events = [
    { state: "merged", previous_state: "open", kind: "pull_request" },
    { state: "open", previous_state: "open", kind: "issue" },
    { state: "unreadable", previous_state: null, kind: "issue" },
    { state: null, previous_state: "open", kind: "issue" },
  ].map((data) => makeEvent(task, { type: "task.mirrored", data }));
  const fake = createFakeLive(true);
  const client = createFakeClient({ agentTypes: [developer], tasks, events });
  const screens = renderScreens(client, `/tasks/${tasks[0]?.id}`, fakeAuth("alice"), fake);
  return { ...screens, tasks, live: fake, card: await screen.findByRole("region", { name: "Git" }) };
};

test.each<[string, Partial<GitState>]>([
  ["Open issue", {}],
  ["Closed issue", { state: "closed" }],
  ["Open pull request", { kind: "pull_request" }],
  ["Draft pull request", { kind: "pull_request", draft: true }],
  ["Closed pull request", { kind: "pull_request", state: "closed", draft: true }],
  ["Merged pull request", { kind: "pull_request", state: "merged" }],
])("%s: its title leads there by the service's own address", async (words, change) => {
  const { card } = await open({ git_link: link, git_state: { ...state, ...change } });
  expect(within(card).getByText(words)).toBeDefined();
  const title = within(card).getByRole("link", { name: "The cart is empty" });
  expect([title.getAttribute("href"), title.getAttribute("rel")]).toEqual([link.url, "noreferrer"]);
  expect(within(card).getByText("acme/webshop#12")).toBeDefined();
  expect(within(card).getByText("bug")).toBeDefined();
});

test("what cannot be read says why that may be", async () => {
  const { card } = await open({ git_link: link, git_state: { ...state, state: "unreadable", title: "", labels: [] } });
  expect(within(card).getByText("Not readable")).toBeDefined();
  expect(card.textContent).toContain("Deleted, or the service's token may not see it.");
  expect(within(card).getByRole("link", { name: "acme/webshop#12" })).toBeDefined();
});

test("a link is refused at its field, then made, read as the event tells, and removed", async () => {
  const { user, tasks, live, card } = await open({});
  await user.click(within(card).getByRole("button", { name: "Link an issue or pull request" }));
  const field = await screen.findByRole("textbox", { name: "Address of the issue or pull request" });
  await user.type(field, "https://elsewhere.example/1{Enter}");
  expect(await screen.findByText(/^Must be the address of an issue/)).toBeDefined();
  expect(field.getAttribute("aria-invalid")).toBe("true");

  await user.clear(field);
  await user.type(field, `${link.url}{Enter}`);
  expect(await within(card).findByText("acme/webshop#12")).toBeDefined();
  expect(card.textContent).toMatch(/read from the git host/);

  const [task] = tasks as [Task];
  tasks[0] = { ...task, git_state: state };
  live.tell(makeEvent(task, { type: "task.mirrored" }));
  expect(await within(card).findByText("Open issue")).toBeDefined();

  await user.click(within(card).getByRole("button", { name: "Change link" }));
  await user.click(await screen.findByRole("button", { name: "Remove link" }));
  expect(await within(card).findByRole("button", { name: "Link an issue or pull request" })).toBeDefined();
  expect(tasks[0]).toMatchObject({ git_link: null, git_state: null });
});

test("the history says what became of it", async () => {
  await open({ git_link: link, git_state: state });
  expect(await screen.findByText("saw that the linked pull request is merged")).toBeDefined();
  expect(screen.getByText("saw the linked issue change")).toBeDefined();
  expect(screen.getByText("could not read the linked issue")).toBeDefined();
  expect(screen.getByText("forgot the linked issue: another repository has its name now")).toBeDefined();
});

test("rows of lists show the mark of a linked task", async () => {
  const tasks = [makeTask(developer, { git_link: link, git_state: state }), makeTask(developer, { title: "Another" })];
  renderScreens(createFakeClient({ agentTypes: [developer], tasks }), "/tasks");
  expect(await screen.findAllByRole("img", { name: "Open issue acme/webshop#12" })).toHaveLength(1);
});
