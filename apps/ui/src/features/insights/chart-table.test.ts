// Numbers as text for a spreadsheet: names first, what is not known left empty, foreign text never a formula.
import { expect, test } from "vitest";
import { csvOf } from "./chart-table.tsx";

interface Row {
  name: string;
  count: number | null;
}

test("writes a line for each row, quoted where it must be", () => {
  const columns = [
    { name: "Name", value: ({ name }: Row) => name },
    { name: "Count", value: ({ count }: Row) => count },
  ];
  const rows = [
    { name: "plain", count: 1 },
    { name: 'a "b", c', count: null },
    { name: "=HYPERLINK(1)", count: -2 },
  ];
  expect(csvOf(columns, rows)).toBe(`Name,Count\r\nplain,1\r\n"a ""b"", c",\r\n'=HYPERLINK(1),-2`);
});
