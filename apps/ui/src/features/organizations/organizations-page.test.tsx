// Organizations: creating one, and a refusal shown at its field.
import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeClient, problem } from "../../testing/fake-client.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { makeOrganization, makeStats } from "../../testing/resource-factory.ts";

test("creates an organization; its name defaults to its slug", async () => {
  const { user } = renderScreens(createFakeClient(), "/organizations");
  const [button] = await screen.findAllByRole("button", { name: "New organization" });
  await user.click(button as HTMLElement);
  await user.type(await screen.findByRole("textbox", { name: "Slug" }), "globex");
  await user.click(screen.getByRole("button", { name: "Create organization" }));
  const row = await screen.findByRole("row", { name: /globex/ });
  expect(within(row).getByRole("link", { name: "https://git.example/globex/globex-agents" })).toBeDefined();
  expect(screen.queryByRole("dialog", { name: "New organization" })).toBeNull();
});

test("a slug of the wrong shape is not sent; a taken one is shown at its field", async () => {
  let sent = 0;
  const client = createFakeClient(
    { organizations: [makeOrganization()] },
    {
      createOrganization: () => {
        sent += 1;
        return Promise.reject(problem("slug_taken", "Another organization has this slug."));
      },
    },
  );
  const { user } = renderScreens(client, "/organizations?create=true");
  const slug = await screen.findByRole("textbox", { name: "Slug" });
  const create = screen.getByRole("button", { name: "Create organization" });

  await user.type(slug, "a--b");
  await user.click(create);
  expect(await screen.findByText(/Letters and digits/)).toBeDefined();
  expect(sent).toBe(0);
  await user.clear(slug);
  await user.type(slug, "ACME");
  await user.click(create);
  expect(await screen.findByText("Another organization has this slug.")).toBeDefined();
});

test("each says how many tasks and agent types it has, and leads to them; deleting asks by its name", async () => {
  const [acme, globex] = [makeOrganization(), makeOrganization({ slug: "globex" })];
  const counted = { organization_id: acme.id, organization_slug: "acme", queued: 1200, live: 3 };
  const client = createFakeClient(
    { organizations: [acme, globex] },
    { getStats: async () => makeStats([], { by_organization: [counted] }) },
  );
  const { user } = renderScreens(client, "/organizations");
  const queued = await screen.findByRole("link", { name: "1,200 queued tasks of acme" });
  expect(queued.getAttribute("href")).toBe("/tasks?state=queued&org=acme");
  expect(screen.getByRole("link", { name: "3 running tasks of acme" })).toBeDefined();
  const types = screen.getByRole("link", { name: /agent types? of acme$/ });
  expect(types.getAttribute("href")).toBe("/agents?organization=acme");
  expect(screen.getByRole("link", { name: "0 queued tasks of globex" })).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Delete globex" }));
  expect((await screen.findByRole("dialog", { name: "Delete globex?" })).textContent).toContain("cannot be undone");
});

test("a dialog gives the focus back to the button that opened it", async () => {
  const { user } = renderScreens(createFakeClient({ organizations: [makeOrganization()] }), "/organizations");
  for (const name of ["Change acme", "Delete acme"]) {
    const button = await screen.findByRole("button", { name });
    button.focus();
    await user.keyboard("{Enter}");
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    await vi.waitFor(() => expect(document.activeElement).toBe(button), { timeout: 5000 });
    expect(screen.queryByRole("dialog")).toBeNull();
  }
});
