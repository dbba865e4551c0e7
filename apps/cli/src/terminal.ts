// What people see: text that cannot steer the terminal, colours where they are wanted, tables.

import { styleText } from "node:util";
import { printable, printableText } from "@task-service/executor/printable-text";
import { surroundings } from "./surroundings.ts";

export { printable, printableText };

type Style = Parameters<typeof styleText>[0];

/** On standard output; plain when that is no terminal or NO_COLOR is set. */
export const styled = (style: Style, text: string): string => styleText(style, text, { stream: surroundings().stdout });

export const print = (line = ""): void => {
  surroundings().stdout.write(`${line}\n`);
};

/** For what is no answer: progress, hints, failures. */
export const say = (line: string): void => {
  surroundings().stderr.write(`${line}\n`);
};

/** An answer of the API as it is. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

export interface Column<T> {
  readonly title: string;
  readonly text: (row: T) => string;
  readonly style?: (row: T) => Style | undefined;
}

const clipped = (text: string, width: number): string => {
  const characters = [...text];
  return characters.length > width ? `${characters.slice(0, Math.max(0, width - 1)).join("")}…` : text;
};

/** Prints rows under titles; the last column is cut at the terminal's width, at none where there is no terminal. */
export const printTable = <T>(columns: readonly Column<T>[], rows: readonly T[]): void => {
  const cells = rows.map((row) => columns.map(({ text }) => printable(text(row))));
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...cells.map((line) => [...(line[at] ?? "")].length)),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const lastWidth = Math.max(10, (surroundings().stdout.columns ?? Number.POSITIVE_INFINITY) - before);
  const laidOut = (text: string, at: number): string =>
    at === columns.length - 1 ? clipped(text, lastWidth) : text.padEnd((widths[at] ?? 0) + 2);
  print(
    styled(
      "dim",
      columns
        .map(({ title }, at) => laidOut(title, at))
        .join("")
        .trimEnd(),
    ),
  );
  for (const [index, row] of rows.entries()) {
    const line = columns.map(({ style }, at) => {
      const text = laidOut(cells[index]?.[at] ?? "", at);
      const how = style?.(row);
      return how ? styled(how, text) : text;
    });
    print(line.join("").trimEnd());
  }
};

/** Prints `name  value` lines; pairs without a value are left out. */
export const printFields = (fields: readonly (readonly [name: string, value: string | null | undefined])[]): void => {
  const shown = fields.filter((field): field is [string, string] => Boolean(field[1]));
  const width = Math.max(0, ...shown.map(([name]) => name.length)) + 2;
  for (const [name, value] of shown) print(`${styled("dim", name.padEnd(width))}${printable(value)}`);
};

/** A heading, then text of many lines. */
export const printSection = (title: string, text: string): void => {
  print();
  print(styled("bold", title));
  print(printableText(text.trimEnd()));
};
