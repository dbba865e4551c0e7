#!/bin/sh
# A worker around any agent's command line: gives it the prompt on standard input, and reports its answer and tokens.
# The persona goes where a placeholder says, or with PERSONA_IN_PROMPT=1 before the prompt, for agents without an option for it:
#
#   npx task-service run -- sh examples/executors/agent-cli.sh AGENT --system-prompt-file {persona_file} --output-format json
#   PERSONA_IN_PROMPT=1 npx task-service run -- sh examples/executors/agent-cli.sh AGENT
#
# An answer that is JSON with `result` and `usage` is taken apart; any other is the result as it is, without tokens.
set -eu
if [ -n "${PERSONA_IN_PROMPT:-}" ]; then
  { cat PERSONA.md && printf '\n\n# Your task\n\n' && cat PROMPT.md; } >INPUT.md
else
  cp PROMPT.md INPUT.md
fi

# What fails gives the task back: exit code and last line of standard error are the reason.
"$@" <INPUT.md >ANSWER

exec node --input-type=module - <<'REPORT'
import { readFile } from "node:fs/promises";

const { TASK_ID, DISPATCH_ID, TASK_SERVICE_URL, TASK_SERVICE_TOKEN_FILE } = process.env;
const answer = await readFile("ANSWER", "utf8");

const readAnswer = () => {
  try {
    const { result, usage, is_error } = JSON.parse(answer);
    if (is_error) throw new Error(result);
    if (typeof result !== "string") return { result: answer };
    if (!usage) return { result };
    const { input_tokens = 0, cache_creation_input_tokens = 0, cache_read_input_tokens = 0, output_tokens = 0 } = usage;
    return { result, input_tokens: input_tokens + cache_creation_input_tokens + cache_read_input_tokens, output_tokens };
  } catch (error) {
    if (error instanceof SyntaxError) return { result: answer };
    throw error;
  }
};

try {
  const report = readAnswer();
  const response = await fetch(`${TASK_SERVICE_URL}/tasks/${TASK_ID}`, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${(await readFile(TASK_SERVICE_TOKEN_FILE, "utf8")).trim()}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ dispatch_id: DISPATCH_ID, ...report }),
  });
  if (!response.ok) throw new Error(await response.text());
  console.log(report.result);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
REPORT
