// What the bench says in the end: a table for people, a file for programs.
import { writeFile } from "node:fs/promises";
import { availableParallelism, cpus, release, totalmem, type } from "node:os";
import { isReached, type Result } from "./figures.ts";

const numberText = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);

const sign = ({ better }: Result): string => (better === "higher" ? "≥" : "≤");

const cellsOf = (result: Result): string[] => [
  result.question,
  result.peer,
  `${numberText(result.ours)} ${result.unit}`,
  `${numberText(result.theirs)} ${result.unit}`,
  `${result.ratio.toFixed(2)}×`,
  `${sign(result)} ${result.reach}×`,
  isReached(result) ? "reached" : "NOT reached",
];

const header = ["question", "peer or floor", "ours", "theirs", "ratio", "reach", ""];

/** Columns in line, as Markdown. */
export const tableOf = (results: readonly Result[]): string => {
  const rows = [header, ...results.map(cellsOf)];
  const widths = header.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [lineOf(head), lineOf(widths.map((width) => "-".repeat(width))), ...body.map(lineOf)].join("\n");
};

/** What it was measured on, in one line. */
export const describeMachine = (postgresVersion: string): string =>
  [
    `${availableParallelism()} × ${cpus()[0]?.model.trim()}`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${type()} ${release()}`,
    `Node ${process.versions.node}`,
    postgresVersion,
  ].join(", ");

/** The results, and the figures behind them where a question has more than fit into a table. */
export const writeReport = async (
  path: string,
  machine: string,
  results: readonly Result[],
  details: readonly object[],
): Promise<void> => {
  const report = { date: new Date().toISOString(), machine, results, details };
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`);
};
