// Text files that are put into Markdown: each in a fenced block with its name, or refused in words.
import { countWord } from "./task-words.ts";

/** What a file gave: its text as Markdown, or why it was not taken. */
export type TakenFile = { markdown: string } | { problem: string };

/** Of one character in UTF-8, at most. */
const maxBytesPerCharacter = 4;

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));

/** Longer than any fence inside, so that the file cannot end it. */
const fenced = (name: string, text: string): string => {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  const shownName = name.replace(/[`\r\n]/g, " ");
  const language = /\.([a-z0-9]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return `\`${shownName}\`\n\n${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}\n`;
};

/** Reads a file for a text that has room for so many more characters. */
export const takeTextFile = async (file: File, room: number): Promise<TakenFile> => {
  const tooLong = {
    problem: `${file.name} is too long: there is room for ${countWord(Math.max(0, room))} characters.`,
  };
  if (file.size > room * maxBytesPerCharacter) return tooLong;
  const bytes = await file.arrayBuffer().catch(() => null);
  if (!bytes) return { problem: `${file.name} could not be read.` };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll("\r\n", "\n");
  } catch {
    return { problem: `${file.name} is not a text file: only text in UTF-8 can be added.` };
  }
  if (text.includes("\0")) return { problem: `${file.name} is not a text file: only text in UTF-8 can be added.` };
  if (!text.trim()) return { problem: `${file.name} is empty.` };
  const markdown = fenced(file.name, text);
  return [...markdown].length > room ? tooLong : { markdown };
};
