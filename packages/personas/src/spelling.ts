// Whether one word is probably another, misspelt.

/** Letters to add, drop, replace or swap with their neighbour until `from` is `to` (optimal string alignment). */
const distance = (from: string, to: string): number => {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(from.length, to.length);
};

/** One slip in a word of up to five letters, one for each five in a longer one; case is no difference. */
export const isProbably = (written: string, meant: string): boolean => {
  const slips = Math.max(1, Math.floor(meant.length / 5));
  if (Math.abs(written.length - meant.length) > slips) return false;
  return distance(written.toLowerCase(), meant) <= slips;
};
