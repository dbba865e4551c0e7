// `task-service personas lint DIR`: what synchronization would say about a checkout, before anything is merged (D-31).

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { SyncFinding } from "@task-service/contract";
import { Command } from "commander";
import { CommandFailure, exitCodes, wrongUse } from "../exit-codes.ts";
import { findRepository, type RepositoryReading, readRepository } from "../persona-checkout.ts";
import { shortened } from "../shortened-text.ts";
import { surroundings } from "../surroundings.ts";
import { printable, printJson } from "../terminal.ts";

const help = `
DIR is the checkout of an agents repository, or its folder \`personas\`. They are
read as the service reads a commit: a line for each finding, then a summary.
An error keeps a file out of the service, a warning does not.

Ends with 0 if there is no error, 1 if there is one, 2 if there is nothing to check.

Examples
  $ task-service personas lint .
  personas/developer.md:3: error: …
  5 personas, 1 error, 2 warnings
`;

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

const printReading = (reading: RepositoryReading, json: boolean): void => {
  if (!json) return void surroundings().stdout.write(asText(reading));
  const { personas, errors, warnings } = reading;
  printJson({ personas, errors: errors.toSorted(byPathAndLine), warnings: warnings.toSorted(byPathAndLine) });
};

const lint = async (directory: string, { json = false }: { json?: boolean }): Promise<void> => {
  const folder = resolve(surroundings().cwd(), directory);
  const isFolder = await stat(folder)
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (!isFolder) throw wrongUse(`There is no folder ${shortened(directory)}.`);
  try {
    const repository = await findRepository(folder);
    if (!repository) throw wrongUse(`There is nothing to check: ${shortened(directory)} has no folder \`personas\`.`);
    const reading = await readRepository(repository);
    printReading(reading, json);
    if (reading.errors.length > 0) throw new CommandFailure(exitCodes.refused, "");
  } catch (error) {
    // A file without permission to read, or one that goes while it is read.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw wrongUse(`The personas cannot be read: ${(error as Error).message}.`);
  }
};

export const personasCommand = (): Command =>
  new Command("personas").addCommand(
    new Command("lint")
      .description("check the persona files in a checkout, before they are merged")
      .argument("<dir>", "a checkout of an agents repository")
      .option("--json", 'print {"personas", "errors", "warnings"}')
      .addHelpText("after", help)
      .action(lint),
  );
