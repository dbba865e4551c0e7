// The line diff: both texts can be read out of it, and it finds no more than changed.
import { expect, test } from "vitest";
import { diffParts, lineDiff } from "./line-diff.ts";

const shown = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, text }) => `${{ same: " ", added: "+", removed: "-" }[kind]}${text}`);

test("shows what came and what went, the old before the new", () => {
  expect(shown("a\nb\nc\nd", "a\nB\nc\nd\ne")).toEqual([" a", "-b", "+B", " c", " d", "+e"]);
  expect(shown("", "a")).toEqual(["-", "+a"]);
  expect(shown("a", "a")).toEqual([" a"]);
});

/** Every text of up to four lines out of these. */
const texts = ["a", "b", ""].flatMap((line) => {
  let longest = [[line]];
  const all = [...longest];
  for (let length = 2; length <= 4; length += 1) {
    longest = longest.flatMap((lines) => ["a", "b", ""].map((next) => [...lines, next]));
    all.push(...longest);
  }
  return all.map((lines) => lines.join("\n"));
});

test("either text is there whole, in order", () => {
  const wrong = texts.flatMap((before) =>
    texts.filter((after) => {
      const lines = lineDiff(before, after);
      const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text);
      return without("added").join("\n") !== before || without("removed").join("\n") !== after;
    }),
  );
  expect(texts).toHaveLength(120);
  expect(wrong).toEqual([]);
});

test("a line put in anywhere is the only difference", () => {
  for (const before of texts) {
    const lines = before.split("\n");
    for (let at = 0; at <= lines.length; at += 1) {
      const changed = lineDiff(before, lines.toSpliced(at, 0, "new").join("\n")).filter(({ kind }) => kind !== "same");
      expect(changed).toEqual([{ kind: "added", text: "new" }]);
    }
  }
});

test("texts too large to compare are replaced whole, at once", () => {
  const large = (word: string) => Array.from({ length: 20_000 }, (_, line) => `${word} ${line}`).join("\n");
  const lines = lineDiff(large("old"), large("new"));
  expect(lines).toHaveLength(40_000);
});

test("of what stays the same only a little is shown around each change", () => {
  const before = Array.from({ length: 30 }, (_, line) => String(line)).join("\n");
  const parts = diffParts(lineDiff(before, before.replace("\n10\n", "\nten\n").replace("\n25\n", "\n")), 2);
  expect(parts.map(({ skipped, lines }) => [skipped, lines.length])).toEqual([
    [8, 6],
    [10, 5],
  ]);
});
