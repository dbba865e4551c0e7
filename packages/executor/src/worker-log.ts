// A worker's output: to the terminal, to a file of its own, and its last lines as what the task came to.
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Handoff } from "@task-service/contract";

export type Stream = "stdout" | "stderr";

export interface WorkerLog {
  print(stream: Stream, line: string): void;
  /** The last lines of standard output as plain text, or undefined when there was none. */
  lastLines(): string | undefined;
  close(): void;
}

const maxLines = 100;
const maxCharacters = 16_384;
/** A worker that never stops talking does not fill the disk. */
const maxFileBytes = 64 * 2 ** 20;

/** Visible in the service as text: no colours, no controls but tabs and line ends. */
const plain = (text: string): string =>
  stripVTControlCharacters(text)
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n]/gu, "")
    .trim();

/**
 * Lines go to `print` marked with the end of the task's id, and whole to `<directory>/<task id>-<attempt>.log`, which
 * only this user may read; without a directory there is no file. Throws when the file cannot be made.
 */
export const openWorkerLog = (
  { task, dispatch }: Handoff,
  directory: string | undefined,
  print: (stream: Stream, line: string) => void,
): WorkerLog => {
  const file =
    directory === undefined ? undefined : openSync(join(directory, `${task.id}-${dispatch.attempt}.log`), "a", 0o600);
  const lines: string[] = [];
  let written = 0;

  const keep = (line: string): void => {
    if (file === undefined || written > maxFileBytes) return;
    written += writeSync(file, `${line}\n`);
    if (written > maxFileBytes) writeSync(file, "… and more, which is not kept\n");
  };

  return {
    print: (stream, line) => {
      print(stream, `[${task.id.slice(-6)}] ${line}`);
      keep(line);
      if (stream === "stdout" && lines.push(line) > maxLines) lines.shift();
    },
    lastLines: () => plain(Array.from(lines.join("\n")).slice(-maxCharacters).join("")) || undefined,
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
};
