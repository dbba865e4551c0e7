// The names of persona files: the slug in one, and what is wrong with another (D-31).
import { excerpt } from "./storable-text.ts";

/** No file system has longer names; what looks into one, and what shows it, can rely on that. */
export const maxNameCharacters = 255;
export const describeLongName = `The name has more than ${maxNameCharacters} characters: rename it, or remove it.`;

const maxSlugCharacters = 100;
const fileNamePattern = /^[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?\.md$/;

/** The slug that a file name gives, or undefined if no persona may be named so. */
export const slugOfFile = (fileName: string): string | undefined =>
  fileNamePattern.test(fileName) ? fileName.slice(0, -".md".length) : undefined;

const conjunction = new Intl.ListFormat("en-GB");

const isAlphanumeric = (character: string | undefined): boolean => /^[a-z0-9]$/.test(character ?? "");

/** The nearest good name, or undefined if nothing of the name could stay. */
const proposeName = (stem: string): string | undefined => {
  const letters = stem
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .slice(0, maxSlugCharacters);
  let [start, end] = [0, letters.length];
  while (start < end && !isAlphanumeric(letters[start])) start++;
  while (end > start && !isAlphanumeric(letters[end - 1])) end--;
  return start < end ? `${letters.slice(start, end)}.md` : undefined;
};

const ending = /\.(?:md|mdx|markdown|txt|text|yml|yaml)$/i;

/** The name without its ending, also where it has another than `.md`, or one behind the other. */
const stemOf = (fileName: string): string => {
  let stem = fileName;
  // One by one: a pattern for all of them could take quadratic time.
  while (ending.test(stem)) stem = stem.slice(0, stem.lastIndexOf("."));
  return stem === fileName ? fileName.replace(/\.[A-Za-z0-9]{1,5}$/, "") : stem;
};

const listFaults = (fileName: string, stem: string): string[] => {
  const others = stem.replaceAll(/[A-Za-z0-9._\-\s]/g, "");
  return [
    ...(fileName.endsWith(".md") ? [] : ["does not end with `.md`"]),
    ...(/[A-Z]/.test(stem) ? ["has capital letters"] : []),
    ...(/\s/.test(stem) ? ["has spaces"] : []),
    ...(others === "" ? [] : [`has \`${excerpt([...new Set(others)].join(""))}\``]),
    ...(/^[._-]|[._-]$/.test(stem) ? ["does not begin and end with a letter or digit"] : []),
    ...(stem.length > maxSlugCharacters ? [`has more than ${maxSlugCharacters} characters`] : []),
  ];
};

/** Why no persona may be named `fileName`, of 255 characters at most, and what to do; `taken` are the names beside it. */
export const describeFileName = (fileName: string, taken: ReadonlySet<string>): string => {
  const stem = stemOf(fileName);
  const faults = listFaults(fileName, stem);
  const reason = faults.length === 0 ? "is empty" : conjunction.format(faults);
  const name = proposeName(stem);
  const rule = "lower-case letters, digits, `.`, `_` and `-` before `.md`";
  if (name === undefined) return `The file name ${reason}: use ${rule}.`;
  if (taken.has(name))
    return `The file name ${reason}, and \`${name}\` is taken: remove this file or use another name.`;
  return `The file name ${reason}: rename it to \`${name}\`, or move it out of \`personas/\` if it is no persona.`;
};
