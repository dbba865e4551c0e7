// Filters by hand: found by name, shown as chips, taken off one by one or together, all by keyboard.
import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import type { TaskFilterValues } from "../../lib/task-filters.ts";
import { createFakeClient } from "../../testing/fake-client.ts";
import { renderPart } from "../../testing/render-part.tsx";
import { makeAgentType, makeOrganization } from "../../testing/resource-factory.ts";
import { TaskFilterBar } from "./task-filter-bar.tsx";

const acme = makeOrganization();
const agentTypes = [
  makeAgentType(acme, { slug: "developer", name: "Developer" }),
  makeAgentType(acme, { slug: "reviewer", name: "Reviewer" }),
];

const setUp = (initial: TaskFilterValues = {}, props: Partial<Parameters<typeof TaskFilterBar>[0]> = {}) => {
  let latest = initial;
  let changes = 0;
  let set: (value: TaskFilterValues) => void = () => undefined;
  const Held = () => {
    const [value, setValue] = useState(initial);
    set = setValue;
    latest = value;
    const change = (next: TaskFilterValues) => {
      changes += 1;
      setValue(next);
    };
    return <TaskFilterBar value={value} onChange={change} {...props} />;
  };
  const rendered = renderPart(createFakeClient({ organizations: [acme], agentTypes }), <Held />);
  return { ...rendered, value: () => latest, changes: () => changes, set: (value: TaskFilterValues) => set(value) };
};

const chips = () =>
  within(screen.getByRole("list", { name: "Chosen filters" }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);

test("a filter is found by name by keyboard alone, and shown as a chip that can be taken off", async () => {
  const { user, value } = setUp();
  await user.tab();
  await user.tab();
  await user.keyboard("{Enter}");
  await user.type(await screen.findByLabelText("Find a filter"), "revi");
  await screen.findByRole("option", { name: /Reviewer/ });
  await user.keyboard("{ArrowDown}{Enter}");
  expect(value()).toEqual({ assignee: ["acme/reviewer"] });
  expect(chips()).toEqual(["Agent type: Reviewer"]);
  await user.click(screen.getByRole("button", { name: "Remove the filter Agent type" }));
  expect(value()).toEqual({});
  expect(screen.queryByRole("button", { name: "Clear all" })).toBeNull();
});

test("a group lets more than one be chosen, and what is chosen be given up", async () => {
  const { user, value } = setUp();
  await user.click(screen.getByRole("button", { name: "Filter" }));
  await user.click(await screen.findByRole("option", { name: /Agent type/ }));
  await user.click(await screen.findByRole("option", { name: /Developer/ }));
  await user.click(await screen.findByRole("option", { name: /Reviewer/ }));
  expect(value()).toEqual({ assignee: ["acme/developer", "acme/reviewer"] });
  await user.click(screen.getByRole("option", { name: /Developer/ }));
  expect(value()).toEqual({ assignee: ["acme/reviewer"] });
});

test("people, labels and numbers are typed", async () => {
  const { user, value } = setUp({ assignee: ["acme/developer"] });
  await user.click(screen.getByRole("button", { name: "Filter" }));
  await user.click(await screen.findByRole("option", { name: /Person/ }));
  await user.keyboard("bob");
  await user.click(await screen.findByRole("option", { name: "bob" }));
  expect(value()).toEqual({ assignee: ["acme/developer", "bob"] });
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "Filter" }));
  await user.keyboard("30");
  await user.click(await screen.findByRole("option", { name: /30 or more/ }));
  expect(value()).toEqual({ assignee: ["acme/developer", "bob"], priority_min: 30 });
  expect(chips()).toEqual(["Agent type: Developer", "Person: bob", "Priority: 30 or more"]);
  await user.click(screen.getByRole("button", { name: "Clear all" }));
  expect(value()).toEqual({});
});

test("words are passed on once the typing rests; / comes to them and Escape clears", async () => {
  const { user, value, changes, set } = setUp();
  await user.keyboard("/login page");
  await waitFor(() => expect(value()).toEqual({ q: "login page" }));
  expect(changes()).toBe(1);
  await user.keyboard("{Escape}");
  expect(value()).toEqual({});
  const field = screen.getByRole<HTMLInputElement>("searchbox", { name: "Search tasks" });
  set({ q: "from elsewhere" });
  await waitFor(() => expect(field.value).toBe("from elsewhere"));
});

test("an order is chosen where there are some; the list's own is none", async () => {
  const { user, value } = setUp({ needs_attention: true }, { sorts: ["-created_at", "-updated_at"] });
  await user.selectOptions(screen.getByRole("combobox", { name: "Order" }), "Last changed first");
  expect(value()).toEqual({ needs_attention: true, sort: "-updated_at" });
  await user.click(screen.getByRole("button", { name: "Clear all" }));
  expect(value()).toEqual({ sort: "-updated_at" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Order" }), "Newest first");
  expect(value()).toEqual({});
});

test("groups that make no sense for a list are not offered", async () => {
  const { user } = setUp({}, { without: ["State"] });
  await user.click(screen.getByRole("button", { name: "Filter" }));
  await screen.findByRole("option", { name: /Agent type/ });
  expect(screen.queryByRole("option", { name: /State/ })).toBeNull();
});
