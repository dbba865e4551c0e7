// The numbers behind a chart as a table, and as text to paste into a spreadsheet.
import { Box, Table } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./insights-page.module.css";

export interface ChartColumn<Row> {
  name: string;
  /** Null: not known. */
  value: (row: Row) => string | number | null;
  /** How it is shown, if not as its value. */
  words?: (row: Row) => ReactNode;
}

interface ChartTableProps<Row> {
  name: string;
  columns: readonly ChartColumn<Row>[];
  rows: readonly Row[];
}

/** A spreadsheet must not take foreign text for a formula. */
const csvCell = (value: string | number | null): string => {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** RFC 4180, with a line of names first; what is not known is left empty. */
export const csvOf = <Row,>(columns: readonly ChartColumn<Row>[], rows: readonly Row[]): string =>
  [columns.map(({ name }) => csvCell(name)), ...rows.map((row) => columns.map(({ value }) => csvCell(value(row))))]
    .map((cells) => cells.join(","))
    .join("\r\n");

const Cell = <Row,>({ column, row }: { column: ChartColumn<Row>; row: Row }) => {
  const value = column.value(row);
  return value === null ? "not known" : column.words ? column.words(row) : value;
};

export const ChartTable = <Row,>({ name, columns, rows }: ChartTableProps<Row>) => (
  <Box component="section" className={classes.table ?? ""} aria-label={`Table: ${name}`} tabIndex={0}>
    <Table stickyHeader verticalSpacing={6}>
      <caption className={classes.caption}>{name}</caption>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column, at) => (
            <Table.Th key={column.name} scope="col" ta={at > 0 ? "end" : "start"}>
              {column.name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={String(columns[0]?.value(row))}>
            {columns.map((column, at) =>
              at === 0 ? (
                <Table.Th key={column.name} scope="row" fw={500} ta="start">
                  <Cell column={column} row={row} />
                </Table.Th>
              ) : (
                <Table.Td key={column.name} ta="end">
                  <Cell column={column} row={row} />
                </Table.Td>
              ),
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Box>
);
