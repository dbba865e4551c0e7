// What changed between two texts, line by line: the longest common lines stay, the rest went or came.

export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Beyond this many comparisons everything between the first and the last difference counts as replaced. */
const maxCells = 4_000_000;

const commonStart = (a: readonly string[], b: readonly string[]): number => {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length += 1;
  return length;
};

/** `lengths[i][j]`: how many lines the rest of `a` from i and of `b` from j have in common, in order. */
const commonLengths = (a: readonly string[], b: readonly string[]): Uint32Array[] => {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [row, next] = [lengths[i], lengths[i + 1]] as [Uint32Array, Uint32Array];
      row[j] = a[i] === b[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  return lengths;
};

const as = (kind: DiffLine["kind"], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind, text }));

const between = (a: readonly string[], b: readonly string[]): DiffLine[] => {
  if (a.length * b.length > maxCells) return [...as("removed", a), ...as("added", b)];
  const lengths = commonLengths(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const isGone = (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0);
    if (a[i] === b[j]) {
      lines.push(...as("same", a.slice(i, i + 1)));
      i += 1;
      j += 1;
    } else if (isGone) lines.push(...as("removed", a.slice(i, ++i)));
    else lines.push(...as("added", b.slice(j, ++j)));
  }
  return [...lines, ...as("removed", a.slice(i)), ...as("added", b.slice(j))];
};

/** Every line of both texts, in order; where lines were replaced, the old ones first. */
export const lineDiff = (before: string, after: string): DiffLine[] => {
  const [a, b] = [before.split("\n"), after.split("\n")];
  const start = commonStart(a, b);
  const end = commonStart(a.slice(start).toReversed(), b.slice(start).toReversed());
  return [
    ...as("same", a.slice(0, start)),
    ...between(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...as("same", a.slice(a.length - end)),
  ];
};

export interface DiffPart {
  /** Lines left out before it, all the same. */
  skipped: number;
  lines: DiffLine[];
}

/** Only what changed, each with up to `context` lines around it. */
export const diffParts = (lines: readonly DiffLine[], context = 3): DiffPart[] => {
  const parts: DiffPart[] = [];
  let last = -1;
  lines.forEach((line, index) => {
    const isNear = lines.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== "same");
    if (!isNear) return;
    if (last !== index - 1 || parts.length === 0) parts.push({ skipped: index - last - 1, lines: [] });
    parts.at(-1)?.lines.push(line);
    last = index;
  });
  return parts;
};
