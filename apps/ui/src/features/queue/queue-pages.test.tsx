// A long queue: only the pages in view are read, from any position on, and only these are asked again.
import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { createFakeLive, fakeAuth, renderScreens } from "../../testing/render-screens.tsx";
import { makeAgentType, makeOrganization, makeTask } from "../../testing/resource-factory.ts";

// Several seconds of a reader's patience pass here.
vi.setConfig({ testTimeout: 20_000 });

const organization = makeOrganization();
const developer = makeAgentType(organization);
const until = { timeout: 5_000 };
const rowPx = 44;

/** As if the window were scrolled by so much: happy-dom lays nothing out. */
const scrollList = (list: HTMLElement, px: number): void => {
  list.getBoundingClientRect = () => new DOMRect(0, -px, 1000, 0);
  window.dispatchEvent(new Event("scroll"));
};

const openQueue = async (count: number) => {
  const tasks = Array.from({ length: count }, (_, index) => makeTask(developer, { title: `task ${index + 1}` }));
  const asked: number[] = [];
  const fake = createFakeClient({ organizations: [organization], agentTypes: [developer], tasks });
  const client: typeof fake = {
    ...fake,
    listTasks: (input) => {
      if (input?.query?.sort === "queue") asked.push(input.query.from_position ?? 1);
      return fake.listTasks(input);
    },
  };
  const live = createFakeLive(true);
  const { user } = renderScreens(client, "/", fakeAuth("alice"), live);
  await screen.findByRole("link", { name: "task 1" });
  const list = screen.getByRole("list", { name: "Queue" });
  await vi.waitFor(() => expect(list.style.height).toBe(`${count * rowPx}px`), until);
  return { user, list, asked, live };
};

test("the middle of a queue is read without what is before it", async () => {
  const { list, asked } = await openQueue(3_000);
  expect(asked).toEqual([1]);
  scrollList(list, 1_490 * rowPx);
  expect(await within(list).findByRole("link", { name: "task 1491" }, until)).toBeDefined();
  expect(asked).toEqual([1, 1_401]);
  const row = within(list)
    .getAllByRole("listitem")
    .find(({ textContent }) => textContent?.includes("task 1491"));
  expect(row?.getAttribute("aria-posinset")).toBe("1491");
  expect(row?.getAttribute("aria-setsize")).toBe("3000");
  expect(row?.textContent).toMatch(/^1,491/);
});

test("only what is in view is asked again when something happens", async () => {
  const { list, asked, live } = await openQueue(3_000);
  scrollList(list, 1_490 * rowPx);
  await within(list).findByRole("link", { name: "task 1491" }, until);
  asked.length = 0;
  live.tell("anything");
  await vi.waitFor(() => expect(asked).toEqual([1_401]), until);
});

test("End goes to the last row, j and k go on from there, Home comes back", async () => {
  const { user, list } = await openQueue(1_000);
  const scrollBy = vi.spyOn(window, "scrollBy").mockImplementation(() => undefined);
  await user.keyboard("{End}");
  const [, px] = scrollBy.mock.calls.at(-1) as unknown as [number, number];
  scrollList(list, px);
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe("task 1000"), until);
  await user.keyboard("k");
  expect(document.activeElement?.textContent).toBe("task 999");
  await user.keyboard("{Home}");
  scrollList(list, 0);
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe("task 1"), until);
  scrollBy.mockRestore();
});

test("a filtered queue has no positions, and says how many it found", async () => {
  const tasks = ["fix login", "fix logout", "other"].map((title) => makeTask(developer, { title }));
  renderScreens(createFakeClient({ organizations: [organization], agentTypes: [developer], tasks }), "/?q=fix");
  const list = await screen.findByRole("list", { name: "Tasks found" });
  const lines = within(list)
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);
  expect(lines).toEqual([expect.stringMatching(/^0fix login/), expect.stringMatching(/^0fix logout/)]);
  expect(screen.getByText("2 of the queue found")).toBeDefined();
});

test("a filter that nothing passes can be taken away", async () => {
  const tasks = [makeTask(developer, { title: "something" })];
  const { user } = renderScreens(
    createFakeClient({ organizations: [organization], agentTypes: [developer], tasks }),
    "/?q=nothing",
  );
  await user.click(await screen.findByRole("button", { name: "Clear the filters" }));
  expect(await screen.findByRole("link", { name: "something" })).toBeDefined();
});
