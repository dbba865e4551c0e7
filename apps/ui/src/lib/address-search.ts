// The part of an address after the question mark: words as people type them, never read as numbers or as JSON.

/** Of a name that is there twice the last counts. */
export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search));

/** Parsing it gives the same, in text; what is undefined is left out. */
export const stringifySearch = (search: Readonly<Record<string, unknown>>): string => {
  const words = Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return words.length > 0 ? `?${new URLSearchParams(words)}` : "";
};
