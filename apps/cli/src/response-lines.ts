// Reads what a person answers to a task, line by line: a result, or that they give it back.

import { createInterface } from "node:readline";
import { surroundings } from "./surroundings.ts";
import { say } from "./terminal.ts";

/** A result, which may be empty; else why the task goes back, and what was written of it. */
export type Response =
  | { readonly result: string; readonly reason?: never; readonly written?: never }
  | { readonly result?: never; readonly reason: string; readonly written: string };

const giveBack = /^\/release(?:\s+(.*))?$/;

/**
 * Reads standard input up to a line with a single dot, or its end. Ctrl-C, which aborts `interrupted`, and an end without
 * any text give the task back. When `lost` aborts, resolves to what there is.
 */
export const readResponse = async (interrupted: AbortSignal, lost: AbortSignal): Promise<Response> => {
  const lines: string[] = [];
  const reader = createInterface({ input: surroundings().stdin, terminal: surroundings().stdin.isTTY ?? false });
  // At a terminal also what stands in the line that was not ended.
  const written = (): string => [...lines, reader.terminal ? reader.line : ""].join("\n").trim();
  const end = AbortSignal.any([interrupted, lost]);
  end.addEventListener("abort", () => reader.close(), { once: true });
  if (end.aborted) reader.close();
  // At a terminal the reader takes Ctrl-C for itself.
  reader.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  for await (const line of reader) {
    const [isGiveBack, reason] = giveBack.exec(line) ?? [];
    if (isGiveBack) return { reason: reason || "given back", written: written() };
    if (line === ".") return { result: lines.join("\n").trim() };
    lines.push(line);
  }
  const text = written();
  // What follows begins a line of its own.
  if (end.aborted && reader.terminal) say("");
  if (interrupted.aborted) return { reason: "interrupted", written: text };
  return text ? { result: text } : { reason: "no result was written", written: "" };
};
