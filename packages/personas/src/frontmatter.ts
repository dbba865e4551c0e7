// Reads the YAML between the dashes: its keys with their lines and values, or why it cannot be read.
import { EVENT_ID, type Event, getScalarValue, load, parseEvents } from "js-yaml";
import { causeOf } from "./frontmatter-causes.ts";
import type { Fault } from "./frontmatter-lines.ts";
import { excerpt } from "./storable-text.ts";
import type { YamlFailure } from "./yaml-failure.ts";

export interface FrontmatterField {
  key: string;
  value: unknown;
  /** Where the key stands in the file, from 1. */
  line: number;
  /** The value as it is written, if it is one piece of text. */
  source: string | undefined;
}

/** The frontmatter begins behind the file's first line. */
const firstLine = 2;
const limits = { maxAliases: 0, maxDepth: 10 };

/** The first and second of each pair that stands directly in the outermost mapping. */
const listPairs = (events: readonly Event[]): [Event, Event][] => {
  const children: Event[] = [];
  let depth = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) depth--;
    else {
      // The document is the first level, its mapping the second.
      if (depth === 2) children.push(event);
      if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.ALIAS) depth++;
    }
  }
  return children.flatMap((key, index) => {
    const value = children[index + 1];
    return index % 2 === 0 && value ? [[key, value] satisfies [Event, Event]] : [];
  });
};

const listFields = (yaml: string, values: Record<string, unknown>): FrontmatterField[] =>
  listPairs(parseEvents(yaml, limits)).flatMap(([key, value]) => {
    if (key.type !== EVENT_ID.SCALAR) return [];
    const name = getScalarValue(yaml, key);
    const line = yaml.slice(0, Math.max(key.valueStart, 0)).split(/\r\n|\r|\n/).length - 1 + firstLine;
    const isWritten = value.type === EVENT_ID.SCALAR && value.valueStart !== -1;
    const source = isWritten ? yaml.slice(value.valueStart, value.valueEnd) : undefined;
    return [{ key: name, value: values[name], line, source }];
  });

/** The cause in plain words where it is a known one, else `otherwise`. */
const faultOf = (yaml: string, failure: YamlFailure, otherwise: string): Fault => {
  const { line, detail } = causeOf(yaml, failure) ?? { line: failure.line, detail: otherwise };
  return { line: line + firstLine, detail };
};

/** The keys of the frontmatter in the order of the file, or what is wrong with it. Never throws. */
export const readFrontmatter = (yaml: string): FrontmatterField[] | Fault => {
  try {
    const values = load(yaml, limits);
    if (typeof values === "object" && values !== null && !Array.isArray(values)) {
      return listFields(yaml, values as Record<string, unknown>);
    }
    const expected = "The frontmatter must hold `name: …` and `description: …`, each in a line of its own.";
    return faultOf(yaml, { reason: "", line: 0 }, expected);
  } catch (error) {
    const { reason = "it cannot be read", mark } = error as { reason?: string; mark?: { line: number } };
    const expected = reason.includes("input is empty")
      ? "The frontmatter is empty: it must hold `name: …` and `description: …`."
      : `The frontmatter is not valid YAML: ${excerpt(reason)}.`;
    return faultOf(yaml, { reason, line: mark?.line ?? 0 }, expected);
  }
};
