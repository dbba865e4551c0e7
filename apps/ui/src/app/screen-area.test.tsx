// The focus follows the reader from screen to screen, also past an address that no screen has.
import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeClient } from "../testing/fake-client.ts";
import { renderScreens } from "../testing/render-screens.tsx";

test("the heading of each screen gets the focus, that of none too", async () => {
  const { history } = renderScreens(createFakeClient(), "/executors");
  await screen.findByRole("heading", { level: 1, name: "Executors" });
  const goTo = async (path: string, heading: string) => {
    act(() => history.push(path));
    const title = await screen.findByRole("heading", { level: 1, name: heading });
    await vi.waitFor(() => expect(document.activeElement).toBe(title), { timeout: 5000 });
  };
  await goTo("/nowhere/at/all", "There is no such page");
  await goTo("/organizations", "Organizations");
});
