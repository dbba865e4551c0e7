// Signing in: straight to the provider, except after a sign-out; a session that ends keeps the screens.
import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { AuthContext, type AuthContextProps } from "react-oidc-context";
import { beforeEach, expect, test, vi } from "vitest";
import { returnPath } from "../lib/return-paths.ts";
import { SignInGate } from "./sign-in-gate.tsx";
import { tellSignOut } from "./sign-out-news.ts";

const outside = {
  isLoading: false,
  isAuthenticated: false,
  signinRedirect: vi.fn(async () => undefined),
  removeUser: vi.fn(async () => undefined),
};
const inside = { ...outside, isAuthenticated: true, user: { profile: { sub: "alice" } } };
const beside = vi.fn(async (): Promise<string | undefined> => "alice");

const gate = (auth: object) => (
  <MantineProvider env="test">
    <AuthContext value={auth as AuthContextProps}>
      <SignInGate onSignInBeside={beside}>
        <p>inside</p>
      </SignInGate>
    </AuthContext>
  </MantineProvider>
);

beforeEach(() => {
  sessionStorage.clear();
  vi.clearAllMocks();
});

test("a visitor goes straight to the provider and will return to the page asked for", () => {
  window.history.replaceState(null, "", "/tasks/new?parent=1");
  render(gate(outside));
  expect(outside.signinRedirect).toHaveBeenCalledExactlyOnceWith({ state: "/tasks/new?parent=1" });
});

test("after signing out one stays out until the button is pressed", async () => {
  sessionStorage.setItem("signed-out", "yes");
  render(gate(outside));
  expect(screen.getByRole("heading", { name: "You are signed out" })).toBeDefined();
  expect(outside.signinRedirect).not.toHaveBeenCalled();
  await userEvent.setup().click(screen.getByRole("button", { name: "Sign in" }));
  expect(outside.signinRedirect).toHaveBeenCalledOnce();
  expect(sessionStorage.getItem("signed-out")).toBeNull();
});

test("a provider that is away is not asked again without a click", async () => {
  const error = Object.assign(new Error("fetch failed"), { source: "signinRedirect" });
  render(gate({ ...outside, error }));
  expect(screen.getByRole("heading", { name: "The identity provider cannot be reached" })).toBeDefined();
  expect(outside.signinRedirect).not.toHaveBeenCalled();
  await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
  expect(outside.signinRedirect).toHaveBeenCalledOnce();
});

test("a session that ends keeps the screens and offers to sign in again", async () => {
  const { rerender } = render(gate(inside));
  expect(screen.getByText("inside")).toBeDefined();
  rerender(gate(outside));
  expect(screen.getByText("inside")).toBeDefined();
  expect(await screen.findByRole("dialog", { name: "Your session has ended" })).toBeDefined();
  expect(outside.signinRedirect).not.toHaveBeenCalled();
  await userEvent.setup().click(screen.getByRole("button", { name: "Sign in again" }));
  expect(beside).toHaveBeenCalledOnce();
  expect(outside.signinRedirect).not.toHaveBeenCalled();
  rerender(gate(inside));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("where no window opens, signing in again goes through the provider and back to this page", async () => {
  window.history.replaceState(null, "", "/tasks/1");
  beside.mockResolvedValueOnce(undefined);
  const { rerender } = render(gate(inside));
  rerender(gate(outside));
  await userEvent.setup().click(await screen.findByRole("button", { name: "Sign in again" }));
  expect(outside.signinRedirect).toHaveBeenCalledExactlyOnceWith({ state: "/tasks/1" });
});

test("signing out in another tab takes the screens away, but nobody else's", async () => {
  const { rerender } = render(gate(inside));
  tellSignOut("bob");
  tellSignOut("alice");
  await vi.waitFor(() => expect(outside.removeUser).toHaveBeenCalledOnce(), { timeout: 5000 });
  rerender(gate(outside));
  expect(await screen.findByRole("heading", { name: "You are signed out" })).toBeDefined();
  expect(screen.queryByText("inside")).toBeNull();
});

test.each([
  ["/tasks/1?a=b#c", "/tasks/1?a=b#c"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["https://evil.example/", "/"],
  ["javascript:alert(1)", "/"],
  ["/signed-in?code=1", "/"],
  [undefined, "/"],
])("returns from %s to %s", (state, path) => expect(returnPath(state)).toBe(path));
