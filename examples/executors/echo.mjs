// The smallest useful worker: reports what it was given and, as a developer, asks a reviewer to look at it.
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const { DISPATCH_ID, TASK_SERVICE_URL, TASK_SERVICE_TOKEN_FILE, ECHO_SECONDS = "0" } = process.env;

/** The token is read before each request: the executor renews it in its file. */
const api = async (method, path, body) => {
  const token = (await readFile(TASK_SERVICE_TOKEN_FILE, "utf8")).trim();
  const response = await fetch(`${TASK_SERVICE_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${answer.code}: ${answer.detail}`);
  return answer;
};

/** Four characters are roughly a token in most languages and models. */
const tokens = (words) => Math.max(1, Math.round(words.length / 4));

/** A retry finds the review that an earlier attempt has asked for. */
const askForReview = async (task) => {
  const children = await api("GET", `/tasks?parent_id=${task.id}&limit=200`);
  if (children.items.some((child) => child.agent_type?.slug === "reviewer")) return;
  await api("POST", "/tasks", {
    assignee_type: "agent",
    assignee: `${task.organization_slug}/reviewer`,
    title: [...`Review: ${task.title}`].slice(0, 200).join(""),
    prompt: `Review the work on task ${task.id}, "${task.title}".\n\nRead its prompt and its result with GET /tasks/${task.id}.`,
    priority: task.priority,
    parent_id: task.id,
  });
};

const work = async () => {
  const prompt = await text(process.stdin);
  const task = JSON.parse(await readFile("TASK.json", "utf8"));
  const persona = await readFile("PERSONA.md", "utf8");
  await sleep(Number(ECHO_SECONDS) * 1000);
  const result = `Echo, as **${task.agent_type.name}**:\n\n> ${[...prompt.trim()].slice(0, 500).join("").replaceAll("\n", "\n> ")}\n`;
  await api("PATCH", `/tasks/${task.id}`, {
    dispatch_id: DISPATCH_ID,
    input_tokens: tokens(persona + prompt),
    output_tokens: tokens(result),
    result,
  });
  if (task.agent_type.slug === "developer") await askForReview(task);
};

await work().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
