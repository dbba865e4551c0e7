// What the parser says when it gives up, what it is made into, and how a line of frontmatter is looked at.

/** Where the parser gave up, and its reason; lines count from 0. */
export interface YamlFailure {
  reason: string;
  line: number;
}

/** `line` counts from 0, within the frontmatter. */
export interface Cause {
  line: number;
  detail: string;
}

/** Looks for one cause; undefined if it is not this one. */
export type Detector = (lines: readonly string[], failure: YamlFailure) => Cause | undefined;

export const isIndented = (line: string): boolean => /^[ \t]/.test(line);

/** The two sides of a line `key: value`, the second empty for `key:`; undefined for any other line. */
export const pairIn = (line: string): { key: string; value: string } | undefined => {
  const [, key, value = ""] = /^([^:]*):(?:[ \t](.*))?$/.exec(line) ?? [];
  return key === undefined ? undefined : { key: key.trim(), value: value.trim() };
};
