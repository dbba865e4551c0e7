// The one worker command of cooperation.test.ts: its persona says who it is; others it reaches through the queue alone.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import type { Note, Task, TaskCreate, TaskPatch } from "@task-service/contract";

const cliFile = join(import.meta.dirname, "../../apps/cli/src/main.ts");
const { DISPATCH_ID = "", TASK_ID = "", TASK_SERVICE_URL, TASK_SERVICE_TOKEN_FILE = "" } = process.env;

/** Without any client but fetch, as a worker in another language would. */
const api = async <T>(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<T> => {
  const token = await readFile(TASK_SERVICE_TOKEN_FILE, "utf8");
  const response = await fetch(`${TASK_SERVICE_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${answer}`);
  return JSON.parse(answer) as T;
};

const report = (fields: TaskPatch): Promise<Task> =>
  api("PATCH", `/tasks/${TASK_ID}`, { ...fields, dispatch_id: DISPATCH_ID });

/** A worker that is started again for the same task asks for nothing twice. */
const followUp = (fields: TaskCreate): Promise<Task> =>
  api("POST", "/tasks", { assignee_type: "agent", parent_id: TASK_ID, ...fields }, { "idempotency-key": TASK_ID });

const cli = async (...args: string[]): Promise<void> => {
  await promisify(execFile)(process.execPath, [cliFile, ...args]);
};

/** The command line knows the worker's task and dispatch from its environment. */
const plan = async ({ organization_slug }: Task, prompt: string): Promise<void> => {
  const parts = ["Write the page", "Write the form and its test"];
  for (const [index, part] of parts.entries()) {
    await cli("create", "--agent-type", `${organization_slug}/developer`, "--key", `${TASK_ID}-${index}`, part);
  }
  const result = parts.join("; ");
  const tokens = ["--input-tokens", `${prompt.length}`, "--output-tokens", `${result.length}`];
  await cli("update", "--result", result, ...tokens);
};

/** Does what it was asked for, and what was noted on the task it follows up on. */
const develop = async ({ organization_slug, parent_id, title }: Task, prompt: string): Promise<void> => {
  const notes = await api<{ items: Note[] }>("GET", `/tasks/${parent_id}/notes`);
  const result = ["Done", prompt, ...notes.items.map((note) => note.text)].join(": ");
  // Totals of the dispatch: said twice, they count once.
  await report({ input_tokens: prompt.length });
  await report({ input_tokens: prompt.length, output_tokens: result.length, result });
  await followUp({ assignee: `${organization_slug}/reviewer`, prompt: `Review: ${title}` });
  console.log("The task has a result of its own, so this is not it.");
};

/** Not content without a test. What it prints last becomes the result. */
const review = async ({ organization_slug, parent_id }: Task, prompt: string): Promise<void> => {
  const work = await api<Task>("GET", `/tasks/${parent_id}`);
  const isContent = work.result?.includes("test") ?? false;
  if (!isContent) {
    await cli("note", ".", "Add a test");
    await followUp({ assignee: `${organization_slug}/developer`, prompt: "Improve the page" });
  }
  const result = isContent ? "Content" : "Not content";
  await report({ input_tokens: prompt.length, output_tokens: result.length });
  console.log(result);
};

const persona = await readFile("PERSONA.md", "utf8");
const task = JSON.parse(await readFile("TASK.json", "utf8")) as Task;
const role = { planner: plan, developer: develop, reviewer: review }[/You are the (\w+)\./.exec(persona)?.[1] ?? ""];
if (!role) throw new Error(`nobody knows this persona: ${persona}`);
await role(task, await text(process.stdin));
