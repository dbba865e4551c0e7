// A worker on any OpenAI-compatible endpoint, of a local model for instance: the persona is the system message, the prompt the user's.
//   CHAT_URL=http://localhost:11434/v1 CHAT_MODEL=… npx task-service run -- node examples/executors/chat-endpoint.mjs
// CHAT_API_KEY may be set. Notes, follow-ups and tools need more than one question: see docs/executors.md.
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

const { CHAT_URL = "http://localhost:11434/v1", CHAT_MODEL, CHAT_API_KEY } = process.env;
const { TASK_ID, DISPATCH_ID, TASK_SERVICE_URL, TASK_SERVICE_TOKEN_FILE } = process.env;

/** Not `fetch`, which gives up after 300 s without an answer: a local model may think longer. */
const ask = async (question) => {
  const url = `${CHAT_URL.replace(/\/+$/, "")}/chat/completions`;
  const { request } = await import(url.startsWith("https:") ? "node:https" : "node:http");
  const headers = {
    "content-type": "application/json",
    ...(CHAT_API_KEY && { authorization: `Bearer ${CHAT_API_KEY}` }),
  };
  const response = await new Promise((resolve, reject) =>
    request(url, { method: "POST", headers }, resolve).on("error", reject).end(JSON.stringify(question)),
  );
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`the model answered ${response.statusCode}: ${body.slice(0, 300)}`);
  return JSON.parse(body);
};

const work = async () => {
  if (!CHAT_MODEL) throw new Error("CHAT_MODEL is not set");
  const [system, user] = await Promise.all([readFile("PERSONA.md", "utf8"), text(process.stdin)]);
  const { choices, usage } = await ask({
    model: CHAT_MODEL,
    messages: [
      { role: "system", content: system },
      { role: "user", content: user },
    ],
  });
  const result = choices?.[0]?.message?.content;
  if (!result) throw new Error("the model answered without text");
  if (choices[0].finish_reason === "length") throw new Error("the model's answer was cut off");
  const response = await fetch(`${TASK_SERVICE_URL}/tasks/${TASK_ID}`, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${(await readFile(TASK_SERVICE_TOKEN_FILE, "utf8")).trim()}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      dispatch_id: DISPATCH_ID,
      result,
      ...(usage && { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens }),
    }),
  });
  if (!response.ok) throw new Error(`the report was refused: ${await response.text()}`);
};

await work().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
