// Reading persona files (D-31): what is taken verbatim, what is refused and where, what is only warned about. Pure.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPersona } from "./persona.ts";

const path = "personas/developer.md";
const read = (text: string | Buffer) => readPersona(path, Buffer.from(text as string));
const head = "name: Developer\ndescription: Writes code";
const sections = "# Role\n## Responsibilities\n### Out of scope\n## workflow ##\n## Output";
const errorOf = (text: string | Buffer) => {
  const { persona, errors } = read(text);
  expect(persona).toBeUndefined();
  expect(errors.every((error) => error.path === path)).toBe(true);
  return errors.map(({ line, detail }) => [line, detail]);
};

describe("a good file", () => {
  test("gives name, description and body without a finding", () => {
    expect(read(`---\n${head}\n---\n${sections}`)).toEqual({
      persona: { name: "Developer", description: "Writes code", body: sections },
      errors: [],
      warnings: [],
    });
  });

  test.each([
    ["nothing at all", `---\n${head}\n---`, ""],
    ["an empty line", `---\n${head}\n---\n\n`, "\n"],
    ["a rule of its own", `---\n${head}\n---\na\n---\nb`, "a\n---\nb"],
    ["Windows lines", `---\r\n${head.replace("\n", "\r\n")}\r\n---\r\na\r\n`, "a\r\n"],
    ["a byte order mark in front of the file", `\ufeff---\n${head}\n---\na`, "a"],
    ["a byte order mark of its own", `---\n${head}\n---\n\ufeffa`, "\ufeffa"],
    ["no line feed at its end", `---\n${head}\n---\r\n`, ""],
    ["spaces behind the dashes", `--- \n${head}\n---\t\n a `, " a "],
  ])("with %s keeps its body to the byte", (_, text, body) => {
    expect(read(text).persona).toEqual({ name: "Developer", description: "Writes code", body });
  });

  test.each([
    ["quoted", `name: "Ada: a \\"dev\\""\ndescription: 'it''s'`, 'Ada: a "dev"', "it's"],
    ["in a block", "description: |\n  a\n\n  b\nname: Dev", "Dev", "a\n\nb\n"],
    ["in a block at the end", "name: Dev\ndescription: |\n  b", "Dev", "b\n"],
    ["folded", "name: Dev\ndescription: >-\n  two\n  lines", "Dev", "two lines"],
    ["that YAML 1.1 would take for a boolean", "name: yes\ndescription: 2026-01-01", "yes", "2026-01-01"],
  ])("may have text %s", (_, yaml, name, description) => {
    expect(read(`---\n${yaml}\n---\n`).persona).toMatchObject({ name, description });
  });
});

describe("a file that is refused says where", () => {
  test.each<[string, string | Buffer, number | null, RegExp]>([
    ["without a name", "---\ndescription: c\n---\n", 1, /`name` is missing: add a line `name: …`/],
    ["with a blank name", "---\nname: ' '\ndescription: c\n---\n", 2, /`name` is empty/],
    ["whose name is a number", "---\ndescription: c\nname: 0x2A\n---\n", 3, /text.*a number.*`name: "0x2A"`/],
    ["whose name is a list", "---\nname: [a]\ndescription: c\n---\n", 2, /text.*a list.*quotes/],
    ["whose name is a group of keys", "---\nname:\n  first: A\ndescription: c\n---\n", 2, /a group of keys/],
    ["whose name is true", "---\nname: true\ndescription: c\n---\n", 2, /yes or no.*`name: "true"`/],
    ["whose description is null", "---\nname: c\ndescription:\n---\n", 3, /`description` is empty/],
    ["whose name is a comment", "---\nname: #1\ndescription: c\n---\n", 2, /`name` is empty.*quotes.*`#`/],
    ["whose key is quoted", '---\ndescription: c\n"name": 7\n---\n', 3, /a number/],
    ["whose keys share a line", "---\n{name: 7, description: c}\n---\n", 2, /a number/],
    [
      "whose name stands below text that looks like it",
      "---\ndescription: >\n  x\n\n  name: y\nname: 7\n---\n",
      6,
      /a number/,
    ],
    ["with a misspelt key", "---\nname: c\n\ndesciption: d\n---\n", 4, /`desciption`.*did you mean `description`\?/],
    ["with a capital key", "---\nName: c\ndescription: d\n---\n", 2, /`Name`.*did you mean `name`\?/],
    ["with two letters swapped", "---\nnmae: c\ndescription: d\n---\n", 2, /did you mean `name`\?/],
    [
      "with a name of 201 characters",
      `---\nname: ${"🦀".repeat(201)}\ndescription: c\n---\n`,
      2,
      /201 characters, 200/,
    ],
    ["with a description of 2001", `---\nname: c\ndescription: ${"x".repeat(2001)}\n---\n`, 3, /2001 characters, 2000/],
    ["with half a character in its name", '---\nname: "\\ud800"\ndescription: c\n---\n', 2, /cannot be stored/],
    ["with an escaped NUL", '---\nname: "a\\0"\ndescription: c\n---\n', 2, /cannot be stored/],
    ["with a NUL", `---\n${head}\n---\na\0`, 5, /NUL/],
    ["in Latin-1", Buffer.from(`---\n${head}\n---\na\ncafé\n`, "latin1"), 6, /not UTF-8.*save/],
    ["in UTF-16", Buffer.from(`\ufeff---\n${head}\n---\n`, "utf16le"), 1, /not UTF-8/],
    ["that ends within a character", Buffer.from(`---\n${head}\n---\né`).subarray(0, -1), 5, /not UTF-8/],
    ["that is too large", `---\n${head}\n---\n${"x".repeat(256 * 1024)}`, null, /larger than 256 KiB/],
    ["with much too much frontmatter", `---\n${head}\n#${"x".repeat(9000)}\n---\n`, 1, /larger than 8 KiB/],
  ])("%s", (_, text, line, detail) => {
    expect(errorOf(text)).toEqual([[line, expect.stringMatching(detail)]]);
  });

  test("and says everything at once", () => {
    expect(errorOf("---\ntitle: x\n---\n").map(([, detail]) => detail)).toEqual([
      expect.stringContaining("`name`"),
      expect.stringContaining("`description`"),
    ]);
  });
});

describe("warnings keep nothing out", () => {
  test("other keys are ignored, each with its line", () => {
    const { persona, warnings } = read(`---\nmodel: x\n${head}\ntools: [a]\n---\n${sections}`);
    expect(persona).toEqual({ name: "Developer", description: "Writes code", body: sections });
    expect(warnings).toMatchObject([
      { path, line: 2, detail: expect.stringContaining("`model`") },
      { path, line: 5, detail: expect.stringContaining("`tools`") },
    ]);
  });

  test.each([
    ["model", "executor"],
    ["tools", "executor"],
    ["permissionMode", "executor"],
    ["allowed-tools", "executor"],
    ["version", "only `name` and `description`"],
    ["nmae", "only `name` and `description`"],
  ])("the key %s is said to belong elsewhere", (key, words) => {
    const { warnings } = read(`---\n${head}\n${key}: x\n---\n${sections}`);
    expect(warnings).toEqual([{ path, line: 4, detail: expect.stringContaining(words) }]);
  });

  const all = ["Role", "Responsibilities", "Out of scope", "Workflow", "Output"];

  test.each<[string, string, string[]]>([
    ["level and case do not matter", sections, []],
    ["nor do Windows lines", sections.replaceAll("\n", "\r\n"), []],
    ["nor up to three spaces in front", sections.replaceAll(/^#/gm, "   #"), []],
    ["two alike are fine", `${sections}\n## Role`, []],
    ["words alone are none", sections.replace("# Role", "Role"), ["Role"]],
    ["nor is a longer heading", sections.replace("workflow", "Workflows"), ["Workflow"]],
    ["nor one without a space", sections.replace("## Output", "##Output"), ["Output"]],
    ["nor one in a code block", `\`\`\`md\n${sections}\n\`\`\`\n# Role`, all.slice(1)],
    ["nor one in a block that is not closed", `~~~\n${sections}`, all],
    ["a block ends with as many signs", `~~~~\n~~~~\n${sections}`, []],
    ["and not with fewer", `~~~~\n~~~\n${sections}`, all],
    ["nor with others", `~~~~\n\`\`\`\`\n${sections}`, all],
    ["nor with words behind them", `~~~~\n~~~~ a\n${sections}`, all],
    ["code inside a line opens no block", `\`\`\`a\`\`\`\n${sections}`, []],
    ["nothing has none", "", all],
  ])("missing sections are named with the heading to add: %s", (_, body, missing) => {
    const { persona, warnings } = read(`---\n${head}\n---\n${body}`);
    expect(persona?.body).toBe(body);
    expect(warnings).toEqual(
      missing.map((section) => ({ path, line: null, detail: expect.stringContaining(`\`## ${section}\``) })),
    );
  });

  test("a key named __proto__ is a key like any other", () => {
    const { persona, warnings } = read(`---\n__proto__: {polluted: 1}\n${head}\n---\n${sections}`);
    expect([persona?.name, warnings.length]).toEqual(["Developer", 1]);
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("whatever the bytes are", () => {
  const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

  test("reading them never throws, and what it says can be stored", () => {
    const yaml = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc.constantFrom('"\\0": x', '"\\ud800": x', "? [a]\n: b", "<<: {a: 1}"),
    );
    const file = fc.oneof(
      fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
      fc.tuple(yaml, fc.string()).map(([text, body]) => Buffer.from(`---\n${head}\n${text}\n---\n${body}`)),
    );
    fc.assert(
      fc.property(file, (bytes) => {
        const { persona, errors, warnings } = readPersona(path, bytes);
        expect(persona === undefined).toBe(errors.length > 0);
        const texts = [...errors, ...warnings].map(({ detail }) => detail).concat(Object.values(persona ?? {}));
        expect(texts.every(isStorable)).toBe(true);
        expect([...errors, ...warnings].every(({ line }) => line === null || line > 0)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("the body of a good file is what stands behind the second line of dashes", () => {
    const body = fc.string({ unit: "grapheme-composite" });
    fc.assert(
      fc.property(body, fc.constantFrom("\n", "\r\n"), (text, end) => {
        const file = ["---", "name: a", "description: b", "---", text].join(end);
        expect(read(file).persona?.body).toBe(text);
      }),
    );
  });
});
