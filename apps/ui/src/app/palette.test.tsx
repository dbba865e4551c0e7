// The palette: jumps to screens, finds tasks through the service's search, and does what can be done from anywhere.
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { createFakeClient } from "../testing/fake-client.ts";
import { renderScreens } from "../testing/render-screens.tsx";
import { makeAgentType, makeOrganization, makeTask } from "../testing/resource-factory.ts";

const acme = makeOrganization({ slug: "acme", name: "Acme" });
const developer = makeAgentType(acme, { slug: "developer", name: "Developer" });
const login = makeTask(developer, { title: "Mend the login" });
const invoices = makeTask(developer, { title: "Send invoices" });

const openPalette = async () => {
  const client = createFakeClient({ organizations: [acme], agentTypes: [developer], tasks: [login, invoices] });
  const { listTasks } = client;
  client.listTasks = async (input) => {
    const page = await listTasks(input);
    const words = input?.query?.q;
    return { ...page, items: page.items.filter(({ title }) => title.toLowerCase().includes(words ?? "login")) };
  };
  const rendered = renderScreens(client, "/organizations");
  await screen.findByRole("heading", { level: 1, name: "Organizations" });
  await rendered.user.keyboard("{Control>}k{/Control}");
  await screen.findByRole("textbox", { name: "Search or jump" });
  return rendered;
};

test("words find screens, tasks and agents; Enter goes there", async () => {
  const { user, history } = await openPalette();
  await user.keyboard("invoices");
  await screen.findByText("Send invoices");
  expect(screen.queryByText("Mend the login")).toBeNull();
  await user.keyboard("{Enter}");
  await screen.findByRole("heading", { level: 1, name: "Send invoices" });
  expect(history.location.pathname).toBe(`/tasks/${invoices.id}`);
});

test("what can be done is there by name", async () => {
  const { user, auth } = await openPalette();
  await user.keyboard("sync acme");
  expect(await screen.findByText("Sync Acme now")).toBeDefined();
  await user.clear(screen.getByRole("textbox", { name: "Search or jump" }));
  await user.keyboard("sign out");
  await user.click(await screen.findByText("Sign out"));
  expect(auth.revokeTokens).toHaveBeenCalledOnce();
});
