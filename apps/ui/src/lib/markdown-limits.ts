// Which texts are too large, too deeply nested or too full of marks to be rendered as Markdown without stalling the page.

const maxCharacters = 20_000;
const maxLineMarkers = 60;
const markers = /^[\s>*+\-\d.)]*/;

/** Of one kind in one block: the parser's work grows with their square. 2,000 are a fraction of a second. */
const maxBlockMarks = 2_000;
const blockMarks = [/[*_~]/g, /\[/g];

/** A short row of a table is filled up to the width of its head, so few characters can make millions of cells. */
const maxTableCells = 5_000;
const isDelimiterRow = (line: string): boolean => line.includes("-") && /^[\s>|:-]+$/.test(line);

const isDeep = (line: string): boolean => (markers.exec(line)?.[0].length ?? 0) > maxLineMarkers && /[>*+-]/.test(line);

const cellsOf = (lines: readonly string[]): number => {
  const widest = Math.max(0, ...lines.map((line) => (isDelimiterRow(line) ? line.split("|").length : 0)));
  return widest * lines.length;
};

const isHeavyBlock = (block: string): boolean =>
  blockMarks.some((mark) => (block.match(mark)?.length ?? 0) > maxBlockMarks) ||
  (block.includes("|") && cellsOf(block.split("\n")) > maxTableCells);

/** True if the text is to be shown as it was written. */
export const isTooHeavy = (text: string): boolean =>
  text.length > maxCharacters || text.split("\n").some(isDeep) || text.split(/\n[\s>]*\n/).some(isHeavyBlock);
