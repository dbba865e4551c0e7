// Long text for a command: from its arguments, a file, standard input, or the person's editor.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { wrongUse } from "./exit-codes.ts";

/** What $VISUAL or $EDITOR leaves in a file that begins as `before`. Fails as wrong use when none is set or it fails. */
export const editedText = async (name: string, before = ""): Promise<string> => {
  const editor = process.env["VISUAL"] || process.env["EDITOR"];
  if (!editor) throw wrongUse("Set EDITOR to the editor you write with.");
  const directory = await mkdtemp(join(tmpdir(), "task-service-edit-"));
  const file = join(directory, name);
  try {
    await writeFile(file, before, { mode: 0o600 });
    // As git does it: EDITOR may have arguments, the file is one of its own.
    const child = spawn("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw wrongUse(`The editor (${editor}) ended with ${code ?? "a signal"}.`);
    return await readFile(file, "utf8");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

const fileText = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: Error) => {
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
  if (file === undefined && process.stdin.isTTY) return editedText(`${name}.md`);
  return text(process.stdin);
};
