// A page of what there is, for people and for programs.
import type { Page } from "@task-service/contract";
import { type Column, printJson, printTable, say } from "./terminal.ts";

interface PageOptions {
  /** As the API has it. */
  readonly json?: boolean | undefined;
  /** What is said of an empty page. */
  readonly none: string;
}

/** Prints a table and how to go on. */
export const printPage = <T>(page: Page<T>, columns: readonly Column<T>[], { json, none }: PageOptions): void => {
  if (json) printJson(page);
  else if (page.items.length === 0) say(none);
  else printTable(columns, page.items);
  if (!json && page.next_cursor) say(`There are more: --cursor ${page.next_cursor}`);
};
