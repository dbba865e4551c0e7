// A file's own words inside a finding: fit to be stored, and short.

const maxCharacters = 60;

/** Without what PostgreSQL and JSON refuse: NUL and half characters, which escapes in YAML can make. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");

/** The same, cut after 60 characters. */
export const excerpt = (text: string): string =>
  storable(text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text);
