// The way to far pages: followed page by page once, and remembered beside the data, as a cursor stays good.
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { ReadCase } from "./read-cases.ts";
import { type Reader, RefusedError } from "./reader.ts";

export interface FarPage {
  number: number;
  path: string;
}

/** A case, and its far page if there is more than one. */
export interface WalkedCase extends ReadCase {
  far: FarPage | undefined;
}

interface Page {
  next_cursor: string | null;
}

const pageItems = 50;
const stepItems = 200;

/** The address with one more parameter. */
const and = (path: string, parameter: string): string => `${path}${path.includes("?") ? "&" : "?"}${parameter}`;

/** Follows the cursors to the page of this number, or to the last one if there are fewer; null if that is the first. */
const walkTo = async (reader: Reader, path: string, number: number): Promise<FarPage | null> => {
  const at = (cursor: string | null): string => (cursor === null ? path : and(path, `cursor=${cursor}`));
  const target = (number - 1) * pageItems;
  let cursor: string | null = null;
  let passed = 0;
  for (let step = stepItems; passed < target; ) {
    if (passed + step > target) step = pageItems;
    const { next_cursor }: Page = await reader.read(and(at(cursor), `limit=${step}`));
    if (next_cursor !== null) {
      cursor = next_cursor;
      passed += step;
    } else if (step === pageItems) break;
    // The last pages lie within this step: they are gone through one by one.
    else step = pageItems;
  }
  return cursor === null ? null : { number: passed / pageItems + 1, path: at(cursor) };
};

type Known = Record<string, FarPage | null>;

/** The far page as it was remembered, unless its cursor is refused now; undefined if it has to be looked for. */
const recall = async (reader: Reader, known: Known, path: string): Promise<FarPage | null | undefined> => {
  const far = known[path];
  if (!far) return far;
  try {
    await reader.time(far.path);
    return far;
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
};

/** Finds the far pages of all cases, several readers at once. What cannot be read is told to `fail`, and left out. */
export const walkAll = async (
  readers: readonly Reader[],
  cases: readonly ReadCase[],
  { number, file, fail }: { number: number; file: string; fail: (text: string) => void },
): Promise<WalkedCase[]> => {
  const known: Known = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const walked: (WalkedCase | undefined)[] = [];
  const waiting = [...cases.entries()];
  const walk = async (reader: Reader): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, one] = next;
      try {
        await reader.time(one.path);
        const remembered = one.isPaged ? await recall(reader, known, one.path) : null;
        const far = remembered === undefined ? await walkTo(reader, one.path, number) : remembered;
        known[one.path] = far;
        walked[index] = { ...one, far: far ?? undefined };
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        fail(error.message);
      }
    }
  };
  await Promise.all(readers.map(walk));
  await writeFile(file, JSON.stringify(known));
  return walked.filter((one) => one !== undefined);
};
