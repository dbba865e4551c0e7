// Reads what a person answers to a task, line by line: a result, or that they give it back.

import { createInterface, type Interface } from "node:readline";
import { type Surroundings, surroundings } from "./surroundings.ts";
import { say } from "./terminal.ts";

/** A result, which may be empty; else why the task goes back, and what was written of it. */
export type Response =
  | { readonly result: string; readonly reason?: never; readonly written?: never }
  | { readonly result?: never; readonly reason: string; readonly written: string };

const giveBack = /^\/release(?:\s+(.*))?$/;

/** Where a terminal shows what is typed; standard output may hold an answer. None: the terminal itself does it. */
const echoing = (): Surroundings["stderr"] | undefined => {
  const { stdin, stdout, stderr } = surroundings();
  return stdin.isTTY ? [stderr, stdout].find(({ isTTY }) => isTTY) : undefined;
};

const terminalClosed = "the terminal was closed";

/** Undefined if the terminal is gone already: then it cannot be set up, which readline throws. */
const openReader = (): Interface | undefined => {
  const { stdin: input } = surroundings();
  const output = echoing();
  try {
    return createInterface({ input, terminal: output !== undefined, prompt: "", ...(output && { output }) });
  } catch {
    input.destroy();
    return undefined;
  }
};

/**
 * Reads standard input up to a line with a single dot, or its end. Ctrl-C, which aborts `interrupted`, an end without
 * any text, input that fails and a closed terminal give the task back. When `lost` aborts, resolves to what there is.
 */
export const readResponse = async (interrupted: AbortSignal, lost: AbortSignal): Promise<Response> => {
  const lines: string[] = [];
  const { stdin: input } = surroundings();
  const reader = openReader();
  if (!reader) return { reason: terminalClosed, written: "" };
  // At a terminal also what stands in the line that was not ended; the end of the input has made a line of it.
  const written = (): string =>
    [...lines, reader.terminal && !input.readableEnded ? reader.line : ""].join("\n").trim();
  const end = AbortSignal.any([interrupted, lost]);
  end.addEventListener("abort", () => reader.close(), { once: true });
  if (end.aborted) reader.close();
  // At a terminal the reader takes Ctrl-C for itself.
  reader.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  let hasFailed = false;
  try {
    for await (const line of reader) {
      const [isGiveBack, reason] = giveBack.exec(line) ?? [];
      if (isGiveBack) return { reason: reason || "given back", written: written() };
      if (line === ".") return { result: lines.join("\n").trim() };
      lines.push(line);
    }
  } catch {
    hasFailed = true;
  }
  const text = written();
  // What follows begins a line of its own.
  if (end.aborted && reader.terminal) say("");
  if (interrupted.aborted) return { reason: "interrupted", written: text };
  if (lost.aborted) return { result: text };
  // Ctrl-D is a key there: the terminal's own end is that nobody is left.
  if (reader.terminal && (hasFailed || input.readableEnded)) return { reason: terminalClosed, written: text };
  if (hasFailed) return { reason: "its result could not be read", written: text };
  return text ? { result: text } : { reason: "no result was written", written: "" };
};
