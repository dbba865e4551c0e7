// Cuts a persona file into frontmatter and body at its two lines of `---`, and says what is wrong with them.

/** What is wrong, and where: lines count from 1, null means the file as a whole. */
export interface Fault {
  line: number | null;
  detail: string;
}

export interface FileParts {
  /** What stands between the two lines; its first line is the file's second. */
  yaml: string;
  /** Everything after the closing line, to the byte. */
  body: string;
}

const layout = "a line `---`, then `name: …` and `description: …`, then a line `---`";
const isRule = (line: string): boolean => /^---[ \t]*\r?$/.test(line);
/** Hyphens and dashes, as word processors make them of three hyphens, too many or indented. */
const isAlmostRule = (line: string): boolean =>
  /^[ \t]*[-\u2010-\u2015\u2212]+[ \t]*\r?$/.test(line) && line.trim() !== "-" && !isRule(line);
const isKeyOfPersona = (line: string): boolean => /^(?:name|description)[ \t]*:/i.test(line);

const describeOpening = (lines: readonly string[]): string => {
  const [first = ""] = lines;
  if (lines.every((line) => line.trim() === "")) return `The file is empty: it must begin with ${layout}.`;
  if (isAlmostRule(first)) return "The first line must be exactly three hyphens, `---`, with nothing before them.";
  if (isKeyOfPersona(first)) return "The line `---` above this one is missing: the file must begin with it.";
  const rule = lines.findIndex((line, index) => isRule(line) && /^[\w-]+[ \t]*:/.test(lines[index + 1] ?? ""));
  if (rule === -1) return `The frontmatter is missing: the file must begin with ${layout}.`;
  const above = lines.slice(0, rule).every((line) => line.trim() === "") ? "The empty lines" : "The text";
  return `${above} above the first \`---\`, in line ${rule + 1}, must go: nothing may stand before it.`;
};

const describeMissingEnd = (lines: readonly string[]): string => {
  const almost = lines.findIndex((line, index) => index > 0 && isAlmostRule(line));
  const hint = almost === -1 ? "" : ` Line ${almost + 1} must be exactly three hyphens to count as one.`;
  return `The frontmatter that begins here has no end: put a line \`---\` below \`name\` and \`description\`.${hint}`;
};

/** Cuts `text`, which has no byte order mark any more. */
export const splitFrontmatter = (text: string): FileParts | Fault => {
  const lines = text.split("\n");
  const [first = "", ...rest] = lines;
  if (!isRule(first)) return { line: 1, detail: describeOpening(lines) };
  const closing = rest.findIndex(isRule);
  if (closing === -1) return { line: 1, detail: describeMissingEnd(lines) };
  const yaml = rest.slice(0, closing).map((line) => `${line}\n`);
  return { yaml: yaml.join(""), body: rest.slice(closing + 1).join("\n") };
};
