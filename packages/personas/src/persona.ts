// Reads a persona file: YAML frontmatter with `name` and `description`, then the body, verbatim (D-31). Pure.
import type { SyncFinding } from "@task-service/contract";
import { readFrontmatter } from "./frontmatter.ts";
import { type Fault, splitFrontmatter } from "./frontmatter-lines.ts";
import { listFieldErrors, listFieldWarnings } from "./persona-fields.ts";
import { describeTooLarge, maxFileBytes } from "./persona-listing.ts";
import { listMissingSections } from "./persona-sections.ts";

export interface Persona {
  name: string;
  description: string;
  /** Everything after the closing `---` line, to the byte. */
  body: string;
}

export interface PersonaReading {
  /** Undefined when the file was refused; then `errors` says why. */
  persona: Persona | undefined;
  errors: SyncFinding[];
  warnings: SyncFinding[];
}

const maxFrontmatterBytes = 8 * 1024;

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** No byte of a character in UTF-8 is a line feed, so each line can be tried by itself; null if all are good. */
const lineThatIsNotUtf8 = (bytes: Uint8Array): number | null => {
  let start = 0;
  for (let line = 1; start <= bytes.length; line++) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed;
    if (decode(bytes.subarray(start, end)) === undefined) return line;
    start = end + 1;
  }
  return null;
};

const readText = (bytes: Uint8Array): string | Fault => {
  if (bytes.byteLength > maxFileBytes) return { line: null, detail: describeTooLarge };
  const text = decode(bytes);
  if (text === undefined) {
    return { line: lineThatIsNotUtf8(bytes), detail: "This is not UTF-8 text: save the file with the encoding UTF-8." };
  }
  const nul = text.indexOf("\0");
  if (nul === -1) return text;
  const line = text.slice(0, nul).split("\n").length;
  return {
    line,
    detail: "This line holds a NUL character, which cannot be stored: delete it, or save the file as UTF-8.",
  };
};

const readFields = (yaml: string) =>
  Buffer.byteLength(yaml) > maxFrontmatterBytes
    ? {
        line: 1,
        detail: "The frontmatter is larger than 8 KiB: what does not belong to `name` or `description` goes below it.",
      }
    : readFrontmatter(yaml);

/** Reads the bytes of the persona file at `path`. Never throws. Warnings do not keep a persona out. */
export const readPersona = (path: string, bytes: Uint8Array): PersonaReading => {
  const found = (faults: readonly Fault[]): SyncFinding[] => faults.map((fault) => ({ path, ...fault }));
  const refused = (...faults: Fault[]): PersonaReading => ({ persona: undefined, errors: found(faults), warnings: [] });

  const text = readText(bytes);
  if (typeof text !== "string") return refused(text);
  const parts = splitFrontmatter(text);
  if ("detail" in parts) return refused(parts);
  const fields = readFields(parts.yaml);
  if ("detail" in fields) return refused(fields);
  const errors = listFieldErrors(fields);
  if (errors.length > 0) return refused(...errors);

  const textOf = (key: string) => String(fields.find((field) => field.key === key)?.value);
  const missing = listMissingSections(parts.body).map((section) => ({
    line: null,
    detail: `The section “${section}” is missing: add a heading \`## ${section}\`.`,
  }));
  return {
    persona: { name: textOf("name"), description: textOf("description"), body: parts.body },
    errors: [],
    warnings: found([...listFieldWarnings(fields), ...missing]),
  };
};
