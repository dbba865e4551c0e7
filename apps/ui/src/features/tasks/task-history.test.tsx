// What happened to a task: old and new values, and the persona as it was handed over.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { makeDispatch } from "../../testing/dispatch-factory.ts";
import { createFakeClient } from "../../testing/fake-client.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { makeEvent } from "../../testing/resource-factory.ts";
import { developer, organization, setUp } from "../../testing/task-page-world.ts";

// Typing into a whole screen takes its time on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

test("the history tells old and new values, and shows what became of the prompt", async () => {
  const { task, events, client } = setUp();
  const changes = { labels: { old: ["a", "b"], new: ["b", "c"] }, prompt: { old: "Do it.", new: "Do it well." } };
  events.unshift(makeEvent(task, { type: "task.updated", data: { changes } }));
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  const history = await screen.findByRole("region", { name: "History" });
  expect(
    await within(history).findByText(/added the label .*c.* and removed the label .*a.*, changed the prompt/),
  ).toBeDefined();
  await user.click(within(history).getByRole("button", { name: "Show the change of the prompt" }));
  expect(within(history).getByRole("insertion").textContent).toBe("+Do it well.");
  expect(within(history).getByText("created it")).toBeDefined();
  await user.click(within(history).getByRole("checkbox", { name: "Changes only" }));
  await waitFor(() => expect(within(history).queryByText("created it")).toBeNull());
});

test("a dispatch opens the persona as it was, and what changed in it since", async () => {
  const { task, tasks, events } = setUp({ state: "dispatched" });
  const then = { ...developer, body: "Write code.\n<script>window.hacked = true</script>" };
  const ended = { ended_at: "2026-11-21T09:30:42.000Z", outcome: "released" as const, reason: "No access" };
  const dispatches = [makeDispatch(task, then, ended)];
  const client = createFakeClient({
    organizations: [organization],
    agentTypes: [developer],
    tasks,
    events,
    dispatches,
  });
  const { user } = renderScreens(client, `/tasks/${task.id}`);
  const row = await screen.findByRole("row", { name: /runner-1/ });
  expect(row.textContent).toContain("42 s");
  expect(row.textContent).toContain("No access");
  await user.click(within(row).getByRole("button", { name: "Persona of attempt 1" }));
  const dialog = await screen.findByRole("dialog", { name: "The persona of attempt 1" });
  expect(await within(dialog).findByText(/Write code\./)).toBeDefined();
  expect(dialog.querySelector("script")).toBeNull();
  await user.click(within(dialog).getByRole("radio", { name: "Changes since" }));
  expect(await within(dialog).findByText("Since then: 1 line added, 2 removed.")).toBeDefined();
});
