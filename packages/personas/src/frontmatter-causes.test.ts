// What persona authors get wrong, and what they are told: cause and line, whatever ends the lines and begins the file (D-31).
import { describe, expect, test } from "vitest";
import { readPersona } from "./persona.ts";

const good = "name: Developer\ndescription: Writes code";

/** Line and detail of the only error of a file. */
const errorOf = (text: string) => {
  const { persona, errors, warnings } = readPersona("personas/developer.md", Buffer.from(text));
  expect([persona, errors.length, warnings]).toEqual([undefined, 1, []]);
  return [errors[0]?.line, errors[0]?.detail];
};

const variants = [
  ["as it is", (text: string) => text],
  ["with Windows lines", (text: string) => text.replaceAll("\n", "\r\n")],
  ["behind a byte order mark", (text: string) => `\ufeff${text}`],
] as const;

describe.each(variants)("%s", (_, written) => {
  test.each<[string, string, number, RegExp]>([
    ["a tab in front of a key", "name: a\n\tdescription: b", 3, /begins with a tab.*spaces/],
    ["a tab in front of the first key", "\tname: a\n\tdescription: b", 2, /begins with a tab/],
    ["a tab in front of text", "name: a\ndescription: |\n\tb", 4, /begins with a tab/],
    ["a colon in text", "name: a\ndescription: Reviews: all", 3, /colon.*quotes: `description: "Reviews: all"`/],
    ["a colon at the end of text", "name: a:\ndescription: b", 2, /colon.*`name: "a:"`/],
    ["a colon and quotes in text", 'name: a "b": c\ndescription: d', 2, /`name: "a \\"b\\": c"`/],
    ["a colon in text of two lines", "name: a\ndescription: Reads: all\n  of it", 3, /put all of it in quotes/],
    ["a colon in the second line of text", "name: a\ndescription: Reads\n  all: of it", 4, /continues the text above/],
    ["a colon after typographic quotes", "name: “a: b”\ndescription: c", 2, /Typographic quotes.*`name: "a: b"`/],
    ["a key that is indented", "name: a\n description: b", 3, /remove the spaces/],
    ["a first key that is indented", " name: a\ndescription: b", 2, /begins with spaces.*remove them/],
    ["a double quote not closed", 'name: "a\ndescription: b', 2, /quote opened here is not closed.*`"`/],
    ["a single quote not closed", "name: a\n\ndescription: 'b\n\n", 4, /quote opened here is not closed.*`'`/],
    ["a quote in front of a key", 'name: a\n"description: b', 3, /quote opened here is not closed/],
    ["a quote within quotes", "name: 'it's'\ndescription: b", 2, /behind its closing quote.*`''`/],
    ["text after quotes", 'name: a\ndescription: "a" b', 3, /behind its closing quote.*`\\"`/],
    ["a backslash within quotes", 'name: "a\\d"\ndescription: b', 2, /backslash.*twice/],
    ["a bracket not closed", "name: [a\ndescription: b", 2, /`\[` opened here is not closed/],
    ["text with an @ in front", "name: @dev\ndescription: b", 2, /begins with `@`.*`name: "@dev"`/],
    ["text with an asterisk in front", "name: a\ndescription: *bold*", 3, /begins with `\*`.*quotes/],
    ["text with a dash in front", "name: - a\ndescription: b", 2, /begins with `-`.*quotes/],
    ["text with a tag in front", "name: !!js/function x\ndescription: c", 2, /begins with `!`.*quotes/],
    ["text behind the sign of a block", "name: a\ndescription: > b", 3, /begins with `>`.*quotes/],
    ["lines of a block that are not aligned", "name: a\ndescription: |\n   b\n  c", 5, /same number of spaces/],
    ["a key twice", "name: a\ndescription: b\nname: c", 4, /`name`.*second time, after line 2/],
    ["a key twice within a line", "name: a\nx: {y: 1, y: 2}", 3, /second time/],
    ["a key without a colon", "name: a\ndescription b", 3, /colon and a space.*`description: b`/],
    ["a key without a space", "name:a\ndescription: b", 2, /colon and a space.*`name: a`/],
    ["keys without spaces", "name:a\ndescription:b", 2, /colon and a space/],
    ["a list", "- name: a\n- description: b", 2, /list item/],
    ["a list item below keys", "name: a\n- b", 3, /list item/],
    ["text and nothing else", "A developer.", 2, /neither `key: text`/],
    ["text below the keys", `${good}\n\nYou are a developer.\nIn two lines: so.`, 5, /`---` above it is missing/],
    ["text that is not indented", "name: a\ndescription: b\nand more", 4, /indent it by two spaces/],
    ["text behind the dashes", "name: a\n--- b\ndescription: c", 3, /`---` and nothing else/],
    ["a line of dots", `${good}\n...\nx: y`, 4, /`\.\.\.`.*remove/],
    ["a control character", "name: a\u0007\ndescription: b", 2, /invisible/],
    ["nothing", "# a comment", 2, /frontmatter is empty/],
    ["an empty list", "[]", 2, /neither `key: text`/],
    ["what nobody foresaw", "%TAG\nname: a", 3, /not valid YAML: /],
  ])("%s", (_, yaml, line, detail) => {
    expect(errorOf(written(`---\n${yaml}\n---\n# Role\n`))).toEqual([line, expect.stringMatching(detail)]);
  });

  test.each<[string, string, RegExp]>([
    ["an empty file", "", /file is empty.*`---`/],
    ["empty lines alone", "\n \n", /file is empty/],
    ["no frontmatter", "# Role\n\nfoo\n\n---\n\nbar: x", /frontmatter is missing.*must begin with/],
    ["no line of dashes at the top", `${good}\n---\n`, /`---` above this one is missing/],
    ["an empty line before the frontmatter", `\n---\n${good}\n---\n`, /empty lines above.*line 2/],
    ["text before the frontmatter", `# Dev\n\n---\n${good}\n---\n`, /text above.*line 3/],
    ["a dash of a word processor", `—\n${good}\n—\n`, /exactly three hyphens/],
    ["four hyphens", `----\n${good}\n---\n`, /exactly three hyphens/],
    ["indented hyphens", ` ---\n${good}\n---\n`, /exactly three hyphens/],
    ["no closing line", `---\n${good}\n# Role\n`, /has no end: put a line `---` below `name`[^L]*$/],
    ["a closing line that is not quite one", `---\n${good}\n----\n# Role\n`, /has no end.*Line 4/],
    ["one line of dashes and nothing else", "---", /has no end/],
  ])("%s, said in line 1", (_, text, detail) => {
    expect(errorOf(written(text))).toEqual([1, expect.stringMatching(detail)]);
  });
});

test("a finding quotes only the beginning of long text", () => {
  const [, detail] = errorOf(`---\nname: ${"long ".repeat(300)}: x\n---\n`);
  expect(String(detail).length).toBeLessThan(200);
});

test("8 KiB of anything are judged within a second", () => {
  for (const one of [" ", "- ", "a: ", "[", "{a: ", '"', "'", "a:\n ", "\t", "-", "—", ": "]) {
    const began = performance.now();
    readPersona("p.md", Buffer.from(`---\n${one.repeat(8000 / one.length)}x\n---\n`));
    readPersona("p.md", Buffer.from(`---\n${good}\n---\n# ${one.repeat(250_000 / one.length)}x`));
    readPersona("p.md", Buffer.from(one.repeat(250_000 / one.length)));
    expect(performance.now() - began).toBeLessThan(1000);
  }
});
