// Reads a persona file: YAML frontmatter with `name` and `description`, then the body, verbatim (D-31). Pure.
import type { SyncFinding } from "@task-service/contract";
import { load } from "js-yaml";

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

export const maxFileBytes = 256 * 1024;
export const maxPersonas = 500;
const maxFrontmatterBytes = 8 * 1024;
const maxNameCharacters = 200;
const maxDescriptionCharacters = 2000;
const fileNamePattern = /^[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?\.md$/;
const sections = ["Role", "Responsibilities", "Out of scope", "Workflow", "Output"];

/** The slug that a file name gives, or undefined if no persona may be named so. */
export const slugOfFile = (fileName: string): string | undefined =>
  fileNamePattern.test(fileName) ? fileName.slice(0, -".md".length) : undefined;

const decode = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
};

const splitFrontmatter = (text: string): { yaml: string; body: string } | undefined => {
  const opening = /^---[ \t]*\r?\n/.exec(text);
  if (!opening) return undefined;
  const rest = text.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (!closing) return undefined;
  return { yaml: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length) };
};

/** The file's own words, fit to be stored in a finding: escapes in YAML make characters that are not. */
const quoted = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");

const lineOfKey = (yaml: string, key: string): number =>
  yaml.split("\n").findIndex((line) => line.startsWith(`${key}:`)) + 2;

type Frontmatter = { fields: Record<string, unknown> } | { error: string; line: number };

const parseYaml = (yaml: string): Frontmatter => {
  try {
    const value = load(yaml, { maxAliases: 0, maxDepth: 10 });
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return { fields: value as Record<string, unknown> };
    }
    return { error: "The frontmatter must hold `name: …` and `description: …`.", line: 2 };
  } catch (error) {
    const { reason, mark } = error as { reason?: string; mark?: { line?: number } };
    return {
      error: `The frontmatter is not valid YAML: ${quoted(reason ?? "it cannot be read")}.`,
      line: (mark?.line ?? 0) + 2,
    };
  }
};

const problemOf = (key: string, value: unknown, maxCharacters: number): string | undefined => {
  if (value === undefined) return `\`${key}\` is missing in the frontmatter.`;
  if (typeof value !== "string") return `\`${key}\` must be text; put it in quotes.`;
  if (value.trim() === "") return `\`${key}\` is empty.`;
  if ([...value].length > maxCharacters) return `\`${key}\` is longer than ${maxCharacters} characters.`;
  if (value.includes("\0") || !value.isWellFormed()) return `\`${key}\` holds a character that cannot be stored.`;
  return undefined;
};

const hasHeading = (body: string, section: string): boolean =>
  new RegExp(`^#{1,6}[ \\t]+${section}[ \\t]*#*[ \\t]*\\r?$`, "im").test(body);

/** Reads the bytes of the persona file at `path`. Warnings do not keep a persona out. */
export const readPersona = (path: string, bytes: Buffer): PersonaReading => {
  const refused = (detail: string, line: number | null = null): PersonaReading => ({
    persona: undefined,
    errors: [{ path, line, detail }],
    warnings: [],
  });

  if (bytes.byteLength > maxFileBytes) return refused(`The file is larger than ${maxFileBytes / 1024} KiB.`);
  const text = decode(bytes);
  if (text === undefined) return refused("The file is not UTF-8 text.");
  if (text.includes("\0")) return refused("The file holds a NUL character.");
  const parts = splitFrontmatter(text);
  if (!parts) return refused("The file must begin with frontmatter between two lines of `---`.", 1);
  const { yaml, body } = parts;
  if (Buffer.byteLength(yaml) > maxFrontmatterBytes) return refused("The frontmatter is larger than 8 KiB.", 1);

  const frontmatter = parseYaml(yaml);
  if ("error" in frontmatter) return refused(frontmatter.error, frontmatter.line);
  const { name, description, ...others } = frontmatter.fields;
  const errors = [
    { key: "name", detail: problemOf("name", name, maxNameCharacters) },
    { key: "description", detail: problemOf("description", description, maxDescriptionCharacters) },
  ].flatMap(({ key, detail }) => (detail ? [{ path, line: Math.max(lineOfKey(yaml, key), 1), detail }] : []));
  if (errors.length > 0) return { persona: undefined, errors, warnings: [] };

  const warnings = [
    ...Object.keys(others).map((key) => ({
      path,
      line: lineOfKey(yaml, key),
      detail: `\`${quoted(key)}\` is ignored: a persona has only \`name\` and \`description\`.`,
    })),
    ...sections
      .filter((section) => !hasHeading(body, section))
      .map((section) => ({ path, line: null, detail: `The section “${section}” is missing.` })),
  ];
  return { persona: { name: name as string, description: description as string, body }, errors: [], warnings };
};
