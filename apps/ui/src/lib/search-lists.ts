// Lists of words in an address: parted by commas, for people read addresses too; a backslash takes the next character as it is.

/** Reading it with {@link splitList} gives the same items. */
export const joinList = (items: readonly string[]): string =>
  items.map((item) => item.replace(/[\\,]/g, "\\$&")).join(",");

/** At least one item, which may be empty. A backslash at the very end stands for itself. */
export const splitList = (text: string): string[] => {
  const items = [""];
  for (const [piece] of text.matchAll(/\\[\s\S]|[\s\S]/g)) {
    if (piece === ",") items.push("");
    else items.push((items.pop() ?? "") + (piece.length > 1 ? piece.slice(1) : piece));
  }
  return items;
};
