// Writing a new task: who does it, what it says, and what happens when the API refuses.
import type { TaskCreate } from "@task-service/contract";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { createFakeClient, problem } from "../../testing/fake-client.ts";
import { developer, field, world } from "../../testing/new-task-world.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { makeTask } from "../../testing/resource-factory.ts";

// Typing into a whole screen takes its time on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

test("creates a task for an agent type found by its description, and opens it", async () => {
  const tasks = world().tasks;
  const { user } = renderScreens(createFakeClient({ ...world(), tasks }), "/tasks/new");

  await user.type(await screen.findByRole("combobox", { name: "Agent type" }), "prose");
  const options = await screen.findAllByRole("option");
  expect(options.map((option) => option.textContent)).toEqual(["writerWrites prose"]);
  await user.click(screen.getByRole("option", { name: /writer/ }));
  await user.type(screen.getByRole("textbox", { name: "Prompt" }), "Write the guide");
  await user.click(screen.getByRole("radio", { name: "High" }));
  await user.click(screen.getByRole("button", { name: "Create task" }));

  expect(await screen.findByRole("heading", { level: 1, name: "Write the guide" })).toBeDefined();
  expect(tasks.at(-1)).toMatchObject({ prompt: "Write the guide", priority: 50 });
});

test("inactive agent types are not offered", async () => {
  const { user } = renderScreens(createFakeClient(world()), "/tasks/new");
  await user.click(await screen.findByRole("combobox", { name: "Agent type" }));
  const names = (await screen.findAllByRole("option")).map((option) => option.textContent);
  expect(names).toEqual(["developerWrites code", "writerWrites prose"]);
});

test("sends what was filled in, for a person and as a follow-up", async () => {
  let sent: TaskCreate | undefined;
  const { tasks, ...rest } = world();
  const [parent] = tasks;
  const client = createFakeClient(
    { ...rest, tasks },
    {
      createTask: async ({ body }) => {
        sent = body;
        return makeTask(developer);
      },
    },
  );
  const { user } = renderScreens(client, `/tasks/new?parent=${parent?.id}`);

  await waitFor(() => expect(field("Follow-up of")).toBe("Parent"));
  await user.click(screen.getByRole("radio", { name: "Person" }));
  await user.type(screen.getByRole("textbox", { name: "Person" }), "bob");
  await user.click(screen.getByRole("combobox", { name: "Organization" }));
  await user.click(await screen.findByRole("option", { name: "globex" }));
  await user.type(screen.getByRole("textbox", { name: "Prompt" }), "Sign it");
  await user.click(screen.getByRole("button", { name: "Create task" }));

  await screen.findByRole("heading", { level: 1 });
  expect(sent).toEqual({
    assignee_type: "user",
    assignee: "bob",
    organization: "globex",
    priority: 0,
    prompt: "Sign it",
    parent_id: parent?.id,
  });
});

test("says what is missing before it asks the API", async () => {
  const { user } = renderScreens(createFakeClient(world()), "/tasks/new");
  await user.click(await screen.findByRole("button", { name: "Create task" }));
  expect(await screen.findByText("Choose an agent type.")).toBeDefined();
  expect(screen.getByText("Say what is to be done.")).toBeDefined();
});

test("shows a refusal at its field and keeps what was written", async () => {
  const refusals = [
    problem("invalid_request", "no", [{ pointer: "/title", detail: "has a bad word" }]),
    problem("inactive_agent_type", "developer is inactive.", [
      { pointer: "/assignee", detail: "developer is inactive" },
    ]),
    problem("overloaded", "Too busy right now."),
  ];
  const client = createFakeClient(world(), {
    createTask: () => Promise.reject(refusals.shift()),
  });
  const { user } = renderScreens(client, `/tasks/new?agent=${developer.id}`);
  const prompt = await screen.findByRole("textbox", { name: "Prompt" });
  await user.type(prompt, "Keep me");
  const create = screen.getByRole("button", { name: "Create task" });

  await user.click(create);
  expect(await screen.findByText("Has a bad word")).toBeDefined();
  expect(screen.getByRole("textbox", { name: "Title" }).getAttribute("aria-invalid")).toBe("true");
  await user.click(create);
  expect(await screen.findByText("Developer is inactive")).toBeDefined();
  await user.click(create);
  const alert = await screen.findByRole("alert");
  expect(within(alert).getByText("Too busy right now.")).toBeDefined();
  expect((prompt as HTMLTextAreaElement).value).toBe("Keep me");
  expect(JSON.stringify({ ...localStorage })).toContain("Keep me");
});

test("previews the prompt as Markdown", async () => {
  const { user } = renderScreens(createFakeClient(world()), "/tasks/new");
  await user.type(await screen.findByRole("textbox", { name: "Prompt" }), "# Steps");
  await user.click(screen.getByRole("tab", { name: "Preview" }));
  expect(await screen.findByRole("heading", { name: "Steps" })).toBeDefined();
});

test("another one keeps who does it, how soon and its labels; the focus returns to the prompt", async () => {
  const { tasks, ...rest } = world();
  const { user } = renderScreens(createFakeClient({ ...rest, tasks }), `/tasks/new?agent=${developer.id}`);
  const prompt = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Prompt" });
  await user.type(prompt, "First");
  await user.click(screen.getByRole("radio", { name: "Urgent" }));
  await user.type(screen.getByRole("combobox", { name: "Labels" }), "bug{Enter}");
  await user.click(screen.getByRole("button", { name: "Create another" }));
  expect(await screen.findByRole("link", { name: "First" })).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Prompt" })));
  expect(prompt.value).toBe("");
  expect(screen.getByText("bug")).toBeDefined();
  await user.keyboard("Second{Control>}{Enter}{/Control}");
  expect(await screen.findByRole("heading", { level: 1, name: "Second" })).toBeDefined();
  expect(tasks.slice(-2).map(({ prompt, priority }) => [prompt, priority])).toEqual([
    ["First", 100],
    ["Second", 100],
  ]);
});

test("text files that are dropped stand in the prompt; others are refused in words", async () => {
  renderScreens(createFakeClient(world()), "/tasks/new");
  const prompt = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Prompt" });
  const files = [new File(["it failed"], "build.log"), new File([new Uint8Array([0xff, 0xd8])], "photo.jpg")];
  fireEvent.drop(prompt, { dataTransfer: { files, types: ["Files"] } });
  expect(await screen.findByText(/^photo\.jpg is not a text file/)).toBeDefined();
  expect(prompt.value).toBe("`build.log`\n\n```log\nit failed\n```\n");
});

test("a label that is half typed goes along when the keys create the task", async () => {
  const sent: TaskCreate[] = [];
  const client = createFakeClient(world(), {
    createTask: async ({ body }) => {
      sent.push(body);
      return makeTask(developer);
    },
  });
  const { user } = renderScreens(client, `/tasks/new?agent=${developer.id}`);
  await user.type(await screen.findByRole("textbox", { name: "Prompt" }), "Labelled");
  await user.type(screen.getByRole("combobox", { name: "Labels" }), "urg{Control>}{Enter}{/Control}");
  await screen.findByRole("heading", { level: 1 });
  expect(sent.map(({ labels }) => labels)).toEqual([["urg"]]);
});
