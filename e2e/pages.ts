// What several flows do in the same way: sign in, create a task, look for accessibility faults.
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Opens `path`, which leads to the identity provider, and signs in; the password is the name. */
export const signIn = async (page: Page, name: string, path = "/"): Promise<void> => {
  await page.goto(path);
  await page.getByLabel("Username").fill(name);
  await page.getByLabel("Password").fill(name);
  await page.getByRole("button", { name: "Sign in" }).click();
};

export interface TaskInput {
  /** How its name begins in the picker. */
  agentType: string;
  prompt: string;
  priority: number;
}

/** Creates a task by hand, from the page's button on, and ends on its page. */
export const createTask = async (page: Page, { agentType, prompt, priority }: TaskInput): Promise<void> => {
  await page.getByRole("link", { name: "New task" }).first().click();
  await page.getByRole("combobox", { name: "Agent type" }).click();
  await page.getByRole("option", { name: new RegExp(`^${agentType}`) }).click();
  await page.getByRole("textbox", { name: "Prompt" }).fill(prompt);
  await page.getByRole("textbox", { name: "Priority number" }).fill(String(priority));
  await page.getByRole("button", { name: "Create task" }).click();
  await page.waitForURL(/\/tasks\/[0-9a-f-]{36}$/);
};

export const expectAccessible = async (page: Page): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual(
    [],
  );
};
