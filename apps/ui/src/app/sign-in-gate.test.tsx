// Signing in: straight to the provider, except after a sign-out; a session that ends keeps the screens.
import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { AuthContext, type AuthContextProps } from "react-oidc-context";
import { beforeEach, expect, test, vi } from "vitest";
import { returnPath } from "../lib/return-paths.ts";
import { SignInGate } from "./sign-in-gate.tsx";

const outside = { isLoading: false, isAuthenticated: false, signinRedirect: vi.fn(async () => undefined) };

const gate = (auth: object) => (
  <MantineProvider env="test">
    <AuthContext value={auth as AuthContextProps}>
      <SignInGate>
        <p>inside</p>
      </SignInGate>
    </AuthContext>
  </MantineProvider>
);

beforeEach(() => {
  sessionStorage.clear();
  outside.signinRedirect.mockClear();
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
  const { rerender } = render(gate({ ...outside, isAuthenticated: true, user: {} }));
  expect(screen.getByText("inside")).toBeDefined();
  rerender(gate(outside));
  expect(screen.getByText("inside")).toBeDefined();
  expect(await screen.findByRole("dialog", { name: "Your session has ended" })).toBeDefined();
  expect(outside.signinRedirect).not.toHaveBeenCalled();
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
