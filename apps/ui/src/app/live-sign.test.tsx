// The sign in the frame: silent while the connection stands and through short breaks, quiet words once one lasts.
import { act, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createFakeClient } from "../testing/fake-client.ts";
import { createFakeLive, fakeAuth, renderScreens } from "../testing/render-screens.tsx";

afterEach(() => void vi.useRealTimers());

test("a break is told once it lasts, until it is over", async () => {
  const live = createFakeLive(true);
  renderScreens(createFakeClient(), "/", fakeAuth("alice"), live);
  await screen.findByRole("heading", { level: 1, name: "Queue" });
  const words = () => screen.getAllByRole("status").map(({ textContent }) => textContent);

  vi.useFakeTimers();
  const setUp = (isUp: boolean) => act(() => live.setUp(isUp));
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  setUp(false);
  await pass(9_000);
  setUp(true);
  await pass(20_000);
  expect(words()).toEqual([""]);
  setUp(false);
  await pass(9_000);
  expect(words()).toEqual([""]);
  await pass(2_000);
  expect(words()).toEqual(["Reconnecting…"]);
  setUp(true);
  await pass(0);
  expect(words()).toEqual([""]);
});

test("while it stands nothing is asked for every two seconds; when it is gone everything is", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const client = createFakeClient();
  const read = vi.spyOn(client, "listOrganizations");
  const live = createFakeLive(true);
  renderScreens(client, "/organizations", fakeAuth("alice"), live);
  await screen.findByRole("heading", { level: 1, name: "Organizations" });
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(1));
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(read).toHaveBeenCalledTimes(1);
  act(() => {
    live.setUp(false);
    live.tell("anything");
  });
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(read.mock.calls.length).toBeGreaterThanOrEqual(5);
});
