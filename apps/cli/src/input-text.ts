// Long text for a command: from its arguments, a file, standard input, or the person's editor.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { wrongUse } from "./exit-codes.ts";
import { keepText } from "./kept-text.ts";
import { surroundings, temporaryDirectory } from "./surroundings.ts";
import { say } from "./terminal.ts";

/** What $VISUAL or $EDITOR leaves in a file that begins as `before`. Fails as wrong use when none is set or it fails. */
export const editedText = async (name: string, before = ""): Promise<string> => {
  const editor = surroundings().env["VISUAL"] || surroundings().env["EDITOR"];
  if (!editor) throw wrongUse("Set EDITOR to the editor you write with.");
  const directory = await mkdtemp(join(temporaryDirectory(), "task-service-edit-"));
  const file = join(directory, name);
  try {
    await writeFile(file, before, { mode: 0o600 });
    // As git does it: EDITOR may have arguments, the file is one of its own.
    const child = spawn("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env: surroundings().env });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code === 0) return await readFile(file, "utf8");
    const left = await readFile(file, "utf8").catch(() => before);
    const kept = left === before ? "" : ` ${await keepText(left, name.replace(/\.md$/, ""))}`;
    throw wrongUse(`The editor (${editor}) ended with ${code ?? "a signal"}.${kept}`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/** Runs `use` with the text as {@link inputText} has it; what was written in the editor is kept should it fail. */
export const withInputText = async <T>(
  words: readonly string[],
  file: string | undefined,
  name: string,
  use: (text: string) => Promise<T>,
): Promise<T> => {
  const isWritten = words.length === 0 && file === undefined && surroundings().stdin.isTTY;
  const text = await inputText(words, file, name);
  return use(text).catch(async (error: unknown) => {
    if (isWritten && text.trim()) say(await keepText(text, name));
    throw error;
  });
};

const fileText = (file: string): Promise<string> =>
  readFile(resolve(surroundings().cwd(), file), "utf8").catch((error: Error) => {
    throw wrongUse(`The file cannot be read: ${error.message}.`);
  });

/**
 * `words`, joined by spaces; else the content of `file` (`-` is standard input); else what is piped in; else, at a
 * terminal, what is written in the editor. Fails as wrong use when both are given.
 */
export const inputText = async (words: readonly string[], file: string | undefined, name: string): Promise<string> => {
  if (words.length > 0 && file !== undefined) throw wrongUse(`Give the ${name} as words or by --file, not both.`);
  if (words.length > 0) return words.join(" ");
  if (file !== undefined && file !== "-") return fileText(file);
  if (file === undefined && surroundings().stdin.isTTY) return editedText(`${name}.md`);
  return text(surroundings().stdin);
};
