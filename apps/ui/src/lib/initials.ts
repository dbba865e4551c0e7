// A name in two letters, where there is no room for all of it.

/** Of the first and the last word, or of the only one: "Ada King" is AK, "alice" AL. */
export const initials = (name: string): string => {
  const words = name.split(/[\s._-]+/u).filter(Boolean);
  const [first = "", last] = [words.at(0), words.length > 1 ? words.at(-1) : undefined];
  const letters = last === undefined ? [...first].slice(0, 2) : [...[...first].slice(0, 1), ...[...last].slice(0, 1)];
  return letters.join("").toLocaleUpperCase();
};
