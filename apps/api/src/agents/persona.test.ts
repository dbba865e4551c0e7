// Reading persona files (D-31): what is taken verbatim, what is refused and where, what is only warned about. Pure.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { personaFile } from "../../test/factories.ts";
import { readPersona, slugOfFile } from "./persona.ts";

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
    expect(read(personaFile("developer"))).toMatchObject({
      persona: { name: "developer", description: "Does what a developer does" },
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
    ["spaces behind the dashes", `--- \n${head}\n---\t\n a `, " a "],
  ])("with %s keeps its body to the byte", (_, text, body) => {
    expect(read(text).persona).toEqual({ name: "Developer", description: "Writes code", body });
  });

  test.each([
    ["quoted", `name: "Ada: a \\"dev\\""\ndescription: 'it''s'`, 'Ada: a "dev"', "it's"],
    ["folded", "name: Dev\ndescription: >-\n  two\n  lines", "Dev", "two lines"],
    ["that YAML 1.1 would take for a boolean", "name: yes\ndescription: 2026-01-01", "yes", "2026-01-01"],
  ])("may have text %s", (_, yaml, name, description) => {
    expect(read(`---\n${yaml}\n---\n`).persona).toMatchObject({ name, description });
  });
});

describe("a file that is refused says where", () => {
  test.each<[string, string | Buffer, number | null, RegExp]>([
    ["empty", "", 1, /frontmatter/],
    ["without frontmatter", "# Role", 1, /frontmatter/],
    ["with a line before it", `\n---\n${head}\n---\n`, 1, /frontmatter/],
    ["whose frontmatter has no end", `---\n${head}\n`, 1, /frontmatter/],
    ["with empty frontmatter", "---\n---\n", 2, /./],
    ["with a list", "---\n- name\n---\n", 2, /must hold/],
    ["with broken YAML", "---\nname: a\nx: ]\ndescription: b\n---\n", 3, /not valid YAML/],
    ["with tabs", "---\nname: a\nx:\n\t- b\n---\n", 4, /not valid YAML/],
    ["with a key twice", "---\nname: a\nname: b\ndescription: c\n---\n", 3, /not valid YAML/],
    ["with two documents", "---\nname: a\n--- b\ndescription: c\n---\n", 4, /not valid YAML/],
    ["with an alias", "---\nname: &a x\ndescription: *a\n---\n", 3, /not valid YAML/],
    ["with a custom tag", "---\nname: !!js/function x\ndescription: c\n---\n", 2, /not valid YAML/],
    ["without a name", "---\ndescription: c\n---\n", 1, /`name` is missing/],
    ["with a blank name", "---\nname: ' '\ndescription: c\n---\n", 2, /`name` is empty/],
    ["whose name is a number", "---\ndescription: c\nname: 5\n---\n", 3, /must be text/],
    ["whose description is null", "---\nname: c\ndescription:\n---\n", 3, /must be text/],
    ["with a name of 201 characters", `---\nname: ${"🦀".repeat(201)}\ndescription: c\n---\n`, 2, /longer than 200/],
    ["with a description of 2001", `---\nname: c\ndescription: ${"x".repeat(2001)}\n---\n`, 3, /longer than 2000/],
    ["with half a character in its name", '---\nname: "\\ud800"\ndescription: c\n---\n', 2, /cannot be stored/],
    ["with an escaped NUL", '---\nname: "a\\0"\ndescription: c\n---\n', 2, /cannot be stored/],
    ["with a NUL", `---\n${head}\n---\na\0`, null, /NUL/],
    ["that is not UTF-8", Buffer.concat([Buffer.from(`---\n${head}\n---\n`), Buffer.from([0xff])]), null, /not UTF-8/],
    ["that is too large", `---\n${head}\n---\n${"x".repeat(256 * 1024)}`, null, /larger than 256 KiB/],
    ["with much too much frontmatter", `---\n${head}\n#${"x".repeat(9000)}\n---\n`, 1, /larger than 8 KiB/],
  ])("%s", (_, text, line, detail) => {
    expect(errorOf(text)).toEqual([[line, expect.stringMatching(detail)]]);
  });

  test("and says everything at once", () => {
    expect(errorOf("---\nnom: x\n---\n").map(([, detail]) => detail)).toEqual([
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

  test("missing sections are named; their level and case do not matter", () => {
    expect(read(`---\n${head}\n---\n${sections}`).warnings).toEqual([]);
    const { warnings } = read(`---\n${head}\n---\nRole\n# Workflows\n#Output`);
    expect(warnings).toHaveLength(5);
  });

  test("a key named __proto__ is a key like any other", () => {
    const { persona, warnings } = read(`---\n__proto__: {polluted: 1}\n${head}\n---\n${sections}`);
    expect([persona?.name, warnings.length]).toEqual(["Developer", 1]);
    expect({}).not.toHaveProperty("polluted");
  });
});

test.each([
  ["developer.md", "developer"],
  ["a.md", "a"],
  ["qa-2.v_1.md", "qa-2.v_1"],
  [`${"a".repeat(100)}.md`, "a".repeat(100)],
  [`${"a".repeat(101)}.md`, undefined],
  ["Developer.md", undefined],
  ["developer.MD", undefined],
  ["developer.txt", undefined],
  ["developer", undefined],
  [".md", undefined],
  ["-a.md", undefined],
  ["a-.md", undefined],
  ["a b.md", undefined],
  ["é.md", undefined],
  ["a.md\n", undefined],
])("the file name %j gives the slug %j", (name, slug) => {
  expect(slugOfFile(name)).toBe(slug);
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
