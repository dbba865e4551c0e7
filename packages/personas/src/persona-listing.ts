// Which entries of an agents repository's folder `personas` are persona files, and which are reported (D-31). Pure.
import type { SyncFinding } from "@task-service/contract";
import { describeFileName, describeLongName, maxNameCharacters, slugOfFile } from "./persona-file-name.ts";
import { excerpt, storable } from "./storable-text.ts";

/** Where an agents repository keeps its personas. */
export const personasFolder = "personas";
export const maxFileBytes = 256 * 1024;
export const maxPersonas = 500;

export const describeTooLarge = `The file is larger than ${maxFileBytes / 1024} KiB: shorten it.`;
const describeSurplus = `Only the first ${maxPersonas} personas, by name, are read: remove some, or use a second organization.`;

/** An entry as the git host's API lists it; `size` in bytes. */
export interface ListedEntry {
  name: string;
  type: string;
  size: number;
}

/** An entry that is to be read. */
export type PersonaEntry<Entry extends ListedEntry> = Entry & { slug: string; path: string };

export interface SortedEntries<Entry extends ListedEntry> {
  /** By name. */
  candidates: PersonaEntry<Entry>[];
  /** Slugs of personas that are not read, being too large or too many: what is stored of them stays. */
  unread: string[];
  errors: SyncFinding[];
}

const kinds = new Map(
  Object.entries({
    dir: "This is a folder: put its persona files directly into `personas/`, and the rest elsewhere.",
    symlink: "This is a symbolic link: put the file itself in its place.",
    submodule: "This is a submodule: move it out of `personas/`.",
  }),
);

/** Sorts a listing into files to read and entries to report; README.md and hidden files are neither. */
export const sortEntries = <Entry extends ListedEntry>(listing: readonly Entry[]): SortedEntries<Entry> => {
  const names = new Set(listing.map(({ name }) => name));
  const entries = listing.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
  const candidates: PersonaEntry<Entry>[] = [];
  const unread: string[] = [];
  const errors: SyncFinding[] = [];
  for (const entry of entries) {
    const { name, type, size } = entry;
    if (name === "README.md" || name.startsWith(".")) continue;
    const isLong = name.length > maxNameCharacters;
    const path = `${personasFolder}/${isLong ? excerpt(name) : storable(name)}`;
    const slug = slugOfFile(name);
    const report = (detail: string) => errors.push({ path, line: null, detail });
    if (isLong) report(describeLongName);
    else if (type !== "file")
      report(kinds.get(type) ?? "This is not a plain file, which a persona must be: remove it.");
    else if (slug === undefined) report(describeFileName(name, names));
    else if (size > maxFileBytes) {
      unread.push(slug);
      report(describeTooLarge);
    } else candidates.push({ ...entry, slug, path });
  }
  for (const { slug, path } of candidates.splice(maxPersonas)) {
    unread.push(slug);
    errors.push({ path, line: null, detail: describeSurplus });
  }
  return { candidates, unread, errors };
};
