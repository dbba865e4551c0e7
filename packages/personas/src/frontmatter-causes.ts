// What a person did that makes frontmatter invalid YAML, in plain words. The parser knows only where it gave up.
import { valueDetectors } from "./frontmatter-value-causes.ts";
import { excerpt } from "./storable-text.ts";
import { type Cause, type Detector, isIndented, pairIn, type YamlFailure } from "./yaml-failure.ts";

const isListItem = (line: string): boolean => /^-(?:[ \t]|$)/.test(line);

const tab: Detector = (lines, { line }) =>
  /^ *\t/.test(lines[line] ?? "")
    ? { line, detail: "This line begins with a tab: indent with spaces, or not at all." }
    : undefined;

const invisible: Detector = (_, { reason, line }) =>
  reason.includes("non-printable")
    ? { line, detail: "This line holds an invisible control character: write the line anew." }
    : undefined;

const keyTwice: Detector = (lines, { reason, line }) => {
  if (!reason.includes("duplicated mapping key")) return undefined;
  const key = pairIn(lines[line] ?? "")?.key ?? "";
  const first = lines.findIndex((other) => !isIndented(other) && pairIn(other)?.key === key);
  const isKnown = key !== "" && first !== -1 && first < line;
  const detail = isKnown
    ? `\`${excerpt(key)}\` stands here a second time, after line ${first + 2}: keep one of the two.`
    : "A key stands here a second time: keep one of the two.";
  return { line, detail };
};

/** Lines that YAML takes for the end of the frontmatter. */
const earlyEnd: Detector = (lines) => {
  const line = lines.findIndex((one) => /^(?:---[ \t]|\.\.\.(?:[ \t]|$))/.test(one));
  if (line === -1) return undefined;
  const detail = lines[line]?.startsWith(".")
    ? "A line `...` ends the frontmatter too early: remove it."
    : "The line that ends the frontmatter must be `---` and nothing else: put what follows into a line below.";
  return { line, detail };
};

/** A quote or bracket that opens a line or a value and is not closed in time; the parser gives up lines later. */
const unclosed: Detector = (lines, { reason, line }) => {
  if (!/^(?:deficient indentation|unexpected end of the (?:stream|document) within)/.test(reason)) return undefined;
  for (let above = Math.min(line, lines.length - 1); above >= 0; above--) {
    const text = lines[above] ?? "";
    const sign = [text, pairIn(text)?.value].map((part) => /^["'[{]/.exec(part ?? "")?.[0]).find(Boolean);
    if (sign === undefined) continue;
    const detail = /["']/.test(sign)
      ? `The quote opened here is not closed: put another \`${sign}\` at its end.`
      : `The \`${sign}\` opened here is not closed; text that begins with it needs quotes.`;
    return { line: above, detail };
  }
  return undefined;
};

/** The first line that is neither a key nor a comment, nor belongs to the line above it. */
const strayLine: Detector = (lines, { reason, line: last }) => {
  if (!/^$|block mapping entry;|end of the stream or a document|expected ':' after/.test(reason)) return undefined;
  const line = lines.findIndex((one) => one.trim() !== "" && !/^[ \t#]/.test(one) && (isListItem(one) || !pairIn(one)));
  const text = lines[line];
  if (text === undefined || (reason !== "" && line > last)) {
    const first = lines.findIndex((one) => one.trim() !== "" && !one.startsWith("#"));
    const isShifted = isIndented(lines[first] ?? "");
    return isShifted
      ? { line: first, detail: "This line begins with spaces, the next does not: remove them." }
      : undefined;
  }
  if (isListItem(text)) return { line, detail: "This is a list item: write `key: text` without the `-`." };
  const [, key, value] = /^(name|description)\b[ \t]*:?(.*)$/i.exec(text) ?? [];
  if (key)
    return {
      line,
      detail: `A colon and a space must follow \`${key}\`: write \`${key}: ${excerpt((value ?? "").trim() || "…")}\`.`,
    };
  const detail =
    "This line is neither `key: text` nor indented: if it belongs to the text above, indent it by two spaces; " +
    "if the body begins here, the line `---` above it is missing.";
  return { line, detail };
};

const detectors: Detector[] = [tab, invisible, keyTwice, earlyEnd, unclosed, strayLine, ...valueDetectors];

/** The cause of a failure, or undefined if none of the known ones is there; then the parser's reason must do. */
export const causeOf = (yaml: string, failure: YamlFailure): Cause | undefined => {
  const lines = yaml.split(/\r\n|\r|\n/);
  for (const detect of detectors) {
    const cause = detect(lines, failure);
    if (cause) return cause;
  }
  return undefined;
};
