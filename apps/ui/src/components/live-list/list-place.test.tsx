// The address says where in a list somebody is, and a list opened from it begins there.
import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { makeAgentType, makeOrganization, makeTask } from "../../testing/resource-factory.ts";

afterEach(() => void vi.restoreAllMocks());

const organization = makeOrganization();
const developer = makeAgentType(organization);

const setUp = async (path: string) => {
  const scrollBy = vi.spyOn(window, "scrollBy").mockReturnValue();
  const tasks = Array.from({ length: 250 }, () => makeTask(developer));
  const client = createFakeClient({ organizations: [organization], agentTypes: [developer], tasks });
  const { history } = renderScreens(client, path);
  await screen.findByRole("list", { name: /^(Queue|Tasks)$/ });
  return { scrollBy, history };
};

/** The list stands 200 px from the top in tests, and 44 px of it are covered. */
const pxTo = (row: number) => 200 + (row - 1) * 44 - 44;

test.each([
  ["the queue", "/?at=150", 150],
  ["a list that is read page by page", "/tasks?at=150", 150],
  ["one that ends before", "/tasks?at=4000", 250],
])("%s begins at the row of its address", async (_, path, row) => {
  const { scrollBy } = await setUp(path);
  await waitFor(() => expect(scrollBy).toHaveBeenCalledOnce());
  expect(scrollBy).toHaveBeenCalledWith(0, pxTo(row));
});

test("once the scrolling rests the address says where, without another step back", async () => {
  const { history } = await setUp("/tasks?sort=created_at");
  const top = vi.spyOn(HTMLOListElement.prototype, "getBoundingClientRect");
  const scrollTo = (px: number) => {
    top.mockReturnValue(new DOMRect(0, 200 - px, 1_000, 0));
    window.dispatchEvent(new Event("scroll"));
  };
  scrollTo(pxTo(25));
  await waitFor(() => expect(history.location.search).toBe("?sort=created_at&at=25"));
  scrollTo(0);
  await waitFor(() => expect(history.location.search).toBe("?sort=created_at"));
  expect(history.length).toBe(1);
});
