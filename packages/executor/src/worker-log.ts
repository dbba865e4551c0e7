// A worker's output: to the terminal, to a file of its own, and its last lines as what the task came to.
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Handoff } from "@task-service/contract";
import { printableOutput } from "./printable-text.ts";

export type Stream = "stdout" | "stderr";

export interface WorkerLogOutlets {
  /** Takes a line of output for the terminal, marked with the end of its task's id; nothing in it steers a terminal. */
  readonly print: (stream: Stream, line: string) => void;
  /** Takes what the executor has to say. */
  readonly log: (line: string) => void;
}

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

const closeQuietly = (file: number): void => {
  try {
    closeSync(file);
  } catch {
    // Some file systems say only now that they are full; what could be kept is kept.
  }
};

/**
 * Lines go to `print`, and as they came to `<directory>/<task id>-<attempt>.log`, which only this user may read; without
 * a directory there is no file. One that cannot be made or written is said once, and the work goes on without it.
 */
export const openWorkerLog = (
  { task, dispatch }: Handoff,
  directory: string | undefined,
  { print, log }: WorkerLogOutlets,
): WorkerLog => {
  const lines: string[] = [];
  let file: number | undefined;
  let written = 0;

  const close = (): void => {
    if (file !== undefined) closeQuietly(file);
    file = undefined;
  };

  const unlessFailing = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      log(`keeps no more output of ${task.id}: ${(error as Error).message}`);
      close();
    }
  };

  const keep = (line: string): void => {
    if (file === undefined || written > maxFileBytes) return;
    written += writeSync(file, `${line}\n`);
    if (written > maxFileBytes) writeSync(file, "… and more, which is not kept\n");
  };

  unlessFailing(() => {
    if (directory !== undefined) file = openSync(join(directory, `${task.id}-${dispatch.attempt}.log`), "a", 0o600);
  });

  return {
    print: (stream, line) => {
      print(stream, `[${task.id.slice(-6)}] ${printableOutput(line)}`);
      unlessFailing(() => keep(line));
      if (stream === "stdout" && lines.push(line) > maxLines) lines.shift();
    },
    lastLines: () => plain(Array.from(lines.join("\n")).slice(-maxCharacters).join("")) || undefined,
    close,
  };
};
