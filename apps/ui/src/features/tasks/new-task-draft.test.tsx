// The draft of a new task: what it begins with, and that nothing typed is lost or sent twice.
import { cleanup, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { createFakeClient } from "../../testing/fake-client.ts";
import { developer, field, world, writer } from "../../testing/new-task-world.ts";
import { renderScreens } from "../../testing/render-screens.tsx";
import { makeTask } from "../../testing/resource-factory.ts";

// Typing into a whole screen takes its time on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

test("what was left unfinished is there again, and can be begun afresh", async () => {
  const first = renderScreens(createFakeClient(world()), `/tasks/new?agent=${developer.id}`);
  await first.user.type(await screen.findByRole("textbox", { name: "Prompt" }), "Half a thought");
  cleanup();
  // Another tab remembers nothing.
  sessionStorage.clear();

  const { user } = renderScreens(createFakeClient(world()), "/tasks/new");
  expect(await screen.findByText("You left this unfinished")).toBeDefined();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Prompt" }).value).toBe("Half a thought");
  expect(field("Agent type")).toBe("developer");
  await user.click(screen.getByRole("button", { name: "Start afresh" }));
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Prompt" }).value).toBe("");
  expect(JSON.stringify({ ...localStorage })).not.toContain("Half a thought");
});

test("a duplicate begins with everything the other says", async () => {
  const { tasks, ...rest } = world();
  const link = {
    url: "https://git.example/acme/webshop/issues/12",
    kind: "issue" as const,
    owner: "acme",
    repo: "webshop",
  };
  const other = makeTask(writer, {
    title: "Like me",
    prompt: "All of it",
    labels: ["docs"],
    priority: 7,
    git_link: { ...link, number: 12 },
  });
  tasks.push(other);
  renderScreens(createFakeClient({ ...rest, tasks }), `/tasks/new?from=${other.id}`);
  expect((await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Prompt" })).value).toBe("All of it");
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Title" }).value).toBe("Like me");
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Priority number" }).value).toBe("7");
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Issue or pull request" }).value).toBe(link.url);
  expect(screen.getByText("Issue acme/webshop#12")).toBeDefined();
  expect(screen.getByText("docs")).toBeDefined();
  expect(field("Agent type")).toBe("writer");
});

test("what is typed while the task before is being created stays", async () => {
  const answer = Promise.withResolvers<void>();
  const client = createFakeClient(world(), {
    createTask: async () => {
      await answer.promise;
      return makeTask(developer, { title: "First" });
    },
  });
  const { user } = renderScreens(client, `/tasks/new?agent=${developer.id}`);
  const prompt = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Prompt" });
  await user.type(prompt, "First");
  await user.click(screen.getByRole("button", { name: "Create another" }));
  await user.clear(prompt);
  await user.type(prompt, "Second");
  answer.resolve();
  expect(await screen.findByRole("link", { name: "First" })).toBeDefined();
  expect(prompt.value).toBe("Second");
  expect(JSON.stringify({ ...localStorage })).toContain("Second");
});

test("a reload keeps the agent type that was chosen instead of the address's", async () => {
  const path = `/tasks/new?agent=${developer.id}`;
  const first = renderScreens(createFakeClient(world()), path);
  await first.user.click(await screen.findByRole("combobox", { name: "Agent type" }));
  await first.user.click(await screen.findByRole("option", { name: /writer/ }));
  cleanup();

  renderScreens(createFakeClient(world()), path);
  await screen.findByText("You left this unfinished");
  await waitFor(() => expect(field("Agent type")).toBe("writer"), { timeout: 5000 });
});

test("sent again after a failure, it carries the same key; another prompt gets another", async () => {
  const keys: (string | undefined)[] = [];
  const client = createFakeClient(world(), {
    createTask: async ({ headers }) => {
      keys.push(headers?.["idempotency-key"]);
      throw new TypeError("Failed to fetch");
    },
  });
  const { user } = renderScreens(client, `/tasks/new?agent=${developer.id}`);
  const prompt = await screen.findByRole("textbox", { name: "Prompt" });
  await user.type(prompt, "Once");
  for (const more of ["", "", " more"]) {
    if (more) await user.type(prompt, more);
    const sent = keys.length;
    await user.click(screen.getByRole("button", { name: "Create task" }));
    await waitFor(() => expect(keys).toHaveLength(sent + 1), { timeout: 5000 });
    await screen.findByText("The task service could not be reached.");
  }
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test("what is typed after the one task was sent stays, with the way to it", async () => {
  const answer = Promise.withResolvers<void>();
  const client = createFakeClient(world(), {
    createTask: async () => {
      await answer.promise;
      return makeTask(developer, { title: "First" });
    },
  });
  const { user } = renderScreens(client, `/tasks/new?agent=${developer.id}`);
  const prompt = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Prompt" });
  await user.type(prompt, "First");
  await user.click(screen.getByRole("button", { name: "Create task" }));
  await user.type(prompt, " and a half");
  answer.resolve();
  expect(await screen.findByRole("link", { name: "First" })).toBeDefined();
  expect(prompt.value).toBe("First and a half");
  expect(JSON.stringify({ ...localStorage })).toContain("First and a half");
});

test("sent again after a reload that cut it off, it carries the same key; changed since, another", async () => {
  const keys: (string | undefined)[] = [];
  const sendIn = async (more: string) => {
    const client = createFakeClient(world(), {
      createTask: ({ headers }) => {
        keys.push(headers?.["idempotency-key"]);
        return new Promise(() => undefined);
      },
    });
    const { user } = renderScreens(client, `/tasks/new?agent=${developer.id}`);
    const prompt = await screen.findByRole("textbox", { name: "Prompt" });
    const sent = keys.length;
    if (more) await user.type(prompt, more);
    await user.click(screen.getByRole("button", { name: "Create task" }));
    await waitFor(() => expect(keys).toHaveLength(sent + 1), { timeout: 5000 });
    cleanup();
  };
  await sendIn("Once");
  await sendIn("");
  await sendIn(" more");
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test.each(["parent", "from", "agent"])("a damaged address (%s) is that of an empty form", async (name) => {
  const client = createFakeClient(world());
  const read = vi.spyOn(client, "getTask");
  renderScreens(client, `/tasks/new?${name}=01900000-0000-7`);
  expect((await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Prompt" })).value).toBe("");
  expect(screen.getByRole("heading", { level: 1, name: "New task" })).toBeDefined();
  expect(read).not.toHaveBeenCalled();
});

test("while one is being created the keys create no other, and the field somebody is in keeps the focus", async () => {
  const answer = Promise.withResolvers<void>();
  const create = vi.fn(async () => {
    await answer.promise;
    return makeTask(developer, { title: "First" });
  });
  const client = createFakeClient(world(), { createTask: create });
  const { user } = renderScreens(client, `/tasks/new?agent=${developer.id}`);
  await user.type(await screen.findByRole("textbox", { name: "Prompt" }), "First{Control>}{Enter}{/Control}");
  await waitFor(() => expect(screen.getByRole("button", { name: "Create another" })).toHaveProperty("disabled", true), {
    timeout: 5000,
  });
  const title = screen.getByRole("textbox", { name: "Title" });
  await user.type(title, "Second{Control>}{Enter}{/Control}");
  answer.resolve();
  expect(await screen.findByRole("link", { name: "First" })).toBeDefined();
  expect(create).toHaveBeenCalledOnce();
  expect(document.activeElement).toBe(title);
});
