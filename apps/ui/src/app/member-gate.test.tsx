// Who gets in: members only, and with the API there.
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { createFakeClient, problem } from "../testing/fake-client.ts";
import { fakeAuth, renderScreens } from "../testing/render-screens.tsx";
import { makeMe } from "../testing/resource-factory.ts";

test("somebody outside the group reads which group, who they are, and can come back as someone else", async () => {
  const detail = "You are not a member of «task-service». Ask an administrator to add you.";
  const client = createFakeClient({}, { getMe: () => Promise.reject(problem("not_a_member", detail)) });
  const { user, auth } = renderScreens(client, "/", fakeAuth("mallory"));

  expect(await screen.findByText(detail)).toBeDefined();
  expect(screen.getByText("mallory")).toBeDefined();
  expect(screen.queryByRole("navigation")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Sign in as someone else" }));
  expect(auth.signoutRedirect).toHaveBeenCalledOnce();
});

test("an API that does not answer has a page with a retry", async () => {
  let isDown = true;
  const client = createFakeClient(
    {},
    { getMe: async () => (isDown ? Promise.reject(problem("not_found", "No API here.")) : makeMe()) },
  );
  const { user } = renderScreens(client);
  expect(await screen.findByRole("heading", { name: "The task service does not answer" })).toBeDefined();
  isDown = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { level: 1, name: "Queue" })).toBeDefined();
});
