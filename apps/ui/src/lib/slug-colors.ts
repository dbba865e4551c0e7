// A stable number and colour for a slug, so that an agent type looks the same on every screen.

const colors = ["indigo", "cyan", "teal", "lime", "yellow", "orange", "red", "pink", "grape", "violet"] as const;

/** A 32-bit number, well spread also over short and similar slugs (FNV-1a with a final mix). */
export const slugHash = (slug: string): number => {
  let hash = 0x811c9dc5;
  for (const character of slug) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** One of Mantine's colours. */
export const slugColor = (slug: string): (typeof colors)[number] => colors[slugHash(slug) % colors.length] ?? "indigo";
