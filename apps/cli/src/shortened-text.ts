// Cuts what others sent or somebody pasted, so that a sentence about it stays a sentence.

const maxCharacters = 120;

/** A value as it is named in a sentence: its beginning, if it is long. */
export const shortened = (value: string): string => {
  const characters = [...value.slice(0, 2 * maxCharacters)];
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters - 1).join("")}…` : value;
};

/** Of a line that others wrote: beginning and end, if it is longer than three such values. */
export const shortenedLine = (line: string): string =>
  line.length > 3 * maxCharacters ? `${line.slice(0, 2 * maxCharacters)} … ${line.slice(-maxCharacters)}` : line;
