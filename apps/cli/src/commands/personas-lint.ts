// `task-service personas lint DIR`: what synchronization would say about a checkout, before anything is merged (D-31).
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { SyncFinding } from "@task-service/contract";
import { type Command, UsageError } from "../command.ts";
import { findRepository, type RepositoryReading, readRepository } from "../persona-checkout.ts";

const usage = "personas lint DIR [--json]";
const exitCodes = { good: 0, errors: 1, nothing: 2 };

const help = `Usage: task-service ${usage}

Checks the persona files in a checkout of an agents repository, as the service does
when it reads a commit. DIR is the checkout, or its folder \`personas\`.

A line for each finding, then a summary:
  personas/developer.md:3: error: …
  5 personas, 1 error, 2 warnings

An error keeps a file out of the service, a warning does not.

Options
  --json    print {"personas", "errors", "warnings"} instead
  --help    print this

Ends with 0 if there is no error, 1 if there is one, 2 for a wrong command line or
if there is nothing to check.
`;

const parse = (args: readonly string[]): { directory: string; json: boolean } => {
  const options = { json: { type: "boolean", default: false } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [directory, ...others] = positionals;
    if (!directory || others.length > 0) throw new UsageError("Name one folder: a checkout of an agents repository.");
    return { directory, json: values.json };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/** File names and excerpts come from the repository: nothing in them may steer a terminal or begin a new line. */
const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);

const byPathAndLine = (one: SyncFinding, other: SyncFinding): number => {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return (one.line ?? 0) - (other.line ?? 0);
};

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

const asText = ({ personas, errors, warnings }: RepositoryReading): string => {
  const findings = [
    ...errors.map((finding) => ({ ...finding, kind: "error" })),
    ...warnings.map((finding) => ({ ...finding, kind: "warning" })),
  ].sort(byPathAndLine);
  const lines = findings.map(({ path, line, kind, detail }) => `${path}${line ? `:${line}` : ""}: ${kind}: ${detail}`);
  const summary = [
    counted(personas.length, "persona"),
    counted(errors.length, "error"),
    counted(warnings.length, "warning"),
  ].join(", ");
  return [...lines, summary].map((line) => `${printable(line)}\n`).join("");
};

const asJson = ({ personas, errors, warnings }: RepositoryReading): string =>
  `${JSON.stringify({ personas, errors: errors.toSorted(byPathAndLine), warnings: warnings.toSorted(byPathAndLine) }, null, 2)}\n`;

const refuse = (sentence: string): number => {
  process.stderr.write(`${printable(sentence)}\n`);
  return exitCodes.nothing;
};

const run = async (args: readonly string[]): Promise<number> => {
  const { directory, json } = parse(args);
  const isFolder = await stat(directory)
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (!isFolder) return refuse(`There is no folder ${directory}.`);
  try {
    const repository = await findRepository(resolve(directory));
    if (repository === undefined) return refuse(`There is nothing to check: ${directory} has no folder \`personas\`.`);
    const reading = await readRepository(repository);
    process.stdout.write(json ? asJson(reading) : asText(reading));
    return reading.errors.length > 0 ? exitCodes.errors : exitCodes.good;
  } catch (error) {
    // A file without permission to read, or one that goes while it is read.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return refuse(`The personas cannot be read: ${(error as Error).message}.`);
  }
};

export const personasLint: Command = {
  name: "personas lint",
  usage,
  summary: "checks the persona files in a checkout of an agents repository",
  help,
  run,
};
