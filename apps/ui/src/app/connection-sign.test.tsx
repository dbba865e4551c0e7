// The sign in the frame's bar: calm through short breaks, plain words once one lasts, the same for a screen reader.
import { act, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createFakeClient, problem } from "../testing/fake-client.ts";
import { createFakeLive, fakeAuth, renderScreens } from "../testing/render-screens.tsx";

afterEach(() => void vi.useRealTimers());

const openQueue = async (isUp: boolean, client = createFakeClient()) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const live = createFakeLive(isUp);
  renderScreens(client, "/", fakeAuth("alice"), live);
  await screen.findByRole("heading", { level: 1, name: "Queue" });
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const setUp = (next: boolean) =>
    act(() => {
      live.setUp(next);
      live.tell("anything");
    });
  const sign = () =>
    screen
      .getByRole("button", { name: /^(?:Live|Connecting|Reconnecting|Polling|Offline): / })
      .getAttribute("aria-label")
      ?.split(":")[0];
  const heard = () => screen.getAllByRole("status").map(({ textContent }) => textContent?.split(".")[0]);
  return { pass, setUp, sign, heard, doubt: live.doubt };
};

test("a break is told once it lasts, until it is over", async () => {
  const { pass, setUp, sign, heard } = await openQueue(true);
  await pass(0);
  expect(sign()).toBe("Live");
  setUp(false);
  await pass(1_000);
  expect(sign()).toBe("Live");
  setUp(true);
  await pass(20_000);
  setUp(false);
  await pass(5_000);
  expect(sign()).toBe("Reconnecting");
  expect(heard()).toEqual([""]);
  await pass(6_000);
  expect(sign()).toBe("Polling");
  expect(heard()).toEqual(["Polling"]);
  setUp(true);
  await pass(0);
  expect([sign(), heard()]).toEqual(["Live", [""]]);
});

test("a service that answers nothing is said to be out of reach", async () => {
  const away = () => Promise.reject(new TypeError("fetch failed"));
  let isAway = false;
  const known = createFakeClient();
  const client = new Proxy(known, {
    get: (target, name: keyof typeof known) => (isAway ? away : target[name]),
  });
  const { pass, setUp, sign } = await openQueue(true, client);
  isAway = true;
  setUp(false);
  await pass(12_000);
  expect(sign()).toBe("Offline");
  isAway = false;
  await pass(20_000);
  expect(sign()).toBe("Polling");
});

test("a service that stands still, and lets everybody wait, is said to be out of reach", async () => {
  const still = () => new Promise<never>(() => undefined);
  let isStill = false;
  const known = createFakeClient();
  const client = new Proxy(known, {
    get: (target, name: keyof typeof known) => (isStill ? still : target[name]),
  });
  const { pass, setUp, sign, doubt } = await openQueue(true, client);
  await pass(0);
  isStill = true;
  await pass(45_000);
  expect(doubt).toHaveBeenCalled();
  setUp(false);
  await pass(1_000);
  expect(sign()).toBe("Live");
  await pass(1_500);
  expect(sign()).toBe("Offline");
});

test.for([
  ["says it is in trouble", () => Promise.reject(problem("internal_error", "No."))],
  ["cannot be reached", () => Promise.reject(new TypeError("fetch failed"))],
  ["lets everybody wait", () => new Promise<never>(() => undefined)],
] as const)(
  "one address that %s is no reason to doubt a connection while others are answered",
  async ([, getStats]) => {
    const { pass, sign, doubt } = await openQueue(true, { ...createFakeClient(), getStats });
    await pass(60_000);
    expect([sign(), doubt.mock.calls]).toEqual(["Live", []]);
  },
);

test("a service that says it is in trouble, whatever it is asked, is there", async () => {
  const trouble = () => Promise.reject(problem("internal_error", "No."));
  let isInTrouble = false;
  const known = createFakeClient();
  const client = new Proxy(known, {
    get: (target, name: keyof typeof known) => (isInTrouble ? trouble : target[name]),
  });
  const { pass, setUp, sign, doubt } = await openQueue(true, client);
  await pass(0);
  isInTrouble = true;
  await pass(60_000);
  expect(doubt).not.toHaveBeenCalled();
  setUp(false);
  await pass(30_000);
  expect(sign()).toBe("Polling");
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
