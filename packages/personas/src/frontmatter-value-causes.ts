// What is wrong with text behind `key:` that YAML cannot read, in plain words.
import { excerpt } from "./storable-text.ts";
import { type Detector, isIndented, pairIn } from "./yaml-failure.ts";

const hasColon = (text: string): boolean => /:(?:\s|$)/.test(text);

const inQuotes = (key: string, text: string): string =>
  `\`${excerpt(key)}: "${excerpt(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"\``;

/** A line with spaces in front, below a key that has its text already. */
const continuedText: Detector = (lines, { line }) => {
  const text = lines[line] ?? "";
  if (!isIndented(text)) return undefined;
  const above = lines.slice(0, line).findLast((one) => one.trim() !== "" && !isIndented(one));
  const owner = pairIn(above ?? "");
  if (!owner || owner.value === "" || /^["'[{#]/.test(owner.value)) return undefined;
  if (/^[|>]/.test(owner.value)) {
    const detail = `Every line of the text below \`${excerpt(owner.key)}\` must begin with the same number of spaces.`;
    return { line, detail };
  }
  if (!hasColon(text)) return undefined;
  const detail =
    "This line begins with spaces, so it continues the text above: if it is a key, remove the spaces; " +
    "if it is text, put the whole text in quotes, for it holds a colon.";
  return { line, detail };
};

const quotedValue: Detector = (lines, { reason, line }) => {
  const quote = pairIn(lines[line] ?? "")?.value[0];
  if (quote !== '"' && quote !== "'") return undefined;
  if (/escape sequence|hexadecimal/.test(reason)) {
    const detail = "Between double quotes a backslash must be written twice, `\\\\`; or use single quotes.";
    return { line, detail };
  }
  const inside = quote === '"' ? '\\"' : "''";
  const detail = `The text goes on behind its closing quote: put all of it in quotes, and write a \`${quote}\` inside it as \`${inside}\`.`;
  return { line, detail };
};

const valueWithoutQuotes: Detector = (lines, { line }) => {
  const { key, value } = pairIn(lines[line] ?? "") ?? { key: "", value: "" };
  const [first] = value;
  if (first === undefined) return undefined;
  if ("@`%,*!|>?-[]{}".includes(first)) {
    return { line, detail: `Text that begins with \`${first}\` needs quotes: ${inQuotes(key, value)}.` };
  }
  if (!hasColon(value)) return undefined;
  if (/^[“”„‘’«»]/.test(value)) {
    const plain = value.replaceAll(/[“”„‘’«»]/g, "");
    return { line, detail: `Typographic quotes do not count, plain ones do: ${inQuotes(key, plain)}.` };
  }
  const goesOn = isIndented(lines[line + 1] ?? "");
  const rule = "Text with a colon before a space, or at its end, needs quotes";
  return { line, detail: goesOn ? `${rule}: put all of it in quotes.` : `${rule}: ${inQuotes(key, value)}.` };
};

export const valueDetectors: Detector[] = [continuedText, quotedValue, valueWithoutQuotes];
