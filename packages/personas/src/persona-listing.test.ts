// The rules over a listing (D-31): which entries are personas, which are reported and how, which are neither.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { slugOfFile } from "./persona-file-name.ts";
import { maxFileBytes, sortEntries } from "./persona-listing.ts";

const entry = (name: string, type = "file", size = 1) => ({ name, type, size, sha: `sha of ${name}` });
const errorOf = (...names: string[]) =>
  sortEntries(names.map((name) => entry(name))).errors.map(({ detail }) => detail);

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

describe("a listing", () => {
  test("gives personas by name, with slug and path beside what was listed", () => {
    expect(sortEntries([entry("tester.md"), entry("developer.md")])).toEqual({
      candidates: [
        { ...entry("developer.md"), slug: "developer", path: "personas/developer.md" },
        { ...entry("tester.md"), slug: "tester", path: "personas/tester.md" },
      ],
      unread: [],
      errors: [],
    });
  });

  test("says nothing of README.md and hidden files", () => {
    const neither = [entry("README.md"), entry(".gitkeep"), entry(".github", "dir")];
    expect(sortEntries(neither)).toEqual({ candidates: [], unread: [], errors: [] });
  });

  test.each([
    ["dir", /folder.*directly into `personas\/`/],
    ["symlink", /symbolic link.*file itself/],
    ["submodule", /submodule.*move it/],
    ["fifo", /not a plain file/],
  ])("reports a %s, also one with the name of a persona", (type, detail) => {
    const { candidates, errors } = sortEntries([entry("developer.md", type)]);
    expect(candidates).toEqual([]);
    expect(errors).toEqual([{ path: "personas/developer.md", line: null, detail: expect.stringMatching(detail) }]);
  });

  test("keeps what is stored of files too large", () => {
    const { candidates, unread, errors } = sortEntries([
      entry("a.md", "file", maxFileBytes),
      entry("b.md", "file", maxFileBytes + 1),
    ]);
    expect([candidates.map(({ slug }) => slug), unread]).toEqual([["a"], ["b"]]);
    expect(errors).toEqual([{ path: "personas/b.md", line: null, detail: expect.stringContaining("256 KiB") }]);
  });

  test("has 500 personas at most, the first by name; what is stored of the others stays", () => {
    const names = Array.from({ length: 502 }, (_, n) => `p${String(n).padStart(3, "0")}.md`);
    const { candidates, unread, errors } = sortEntries(names.toReversed().map((name) => entry(name)));
    expect(candidates.map(({ name }) => name)).toEqual(names.slice(0, 500));
    expect([unread, errors.length]).toEqual([["p500", "p501"], 2]);
    expect(errors[0]).toEqual({ path: "personas/p500.md", line: null, detail: expect.stringContaining("500") });
  });
});

describe("a file name that no persona may have", () => {
  test.each([
    ["Developer.md", /capital letters: rename it to `developer.md`/],
    ["Release Manager.md", /capital letters and has spaces: rename it to `release-manager.md`/],
    ["developer.MD", /does not end with `.md`: rename it to `developer.md`/],
    ["developer.txt", /does not end with `.md`: rename it to `developer.md`/],
    ["developer.md.txt", /rename it to `developer.md`/],
    ["developer", /does not end with `.md`: rename it to `developer.md`/],
    ["rôle,pâle.md", /has `ô,â`: rename it to `role-pale.md`/],
    ["_draft-.md", /begin and end with a letter or digit: rename it to `draft.md`/],
    [`${"a".repeat(120)}.md`, /more than 100 characters: rename it to `a{100}.md`/],
    ["開発.md", /has `開発`: use lower-case letters/],
    ["a\nb.md", /has spaces: rename it to `a-b.md`/],
  ])("%j is told what to become", (name, detail) => {
    expect(errorOf(name)).toEqual([expect.stringMatching(detail)]);
  });

  test.each([
    ["x".repeat(256), "personas/x{60}…"],
    [`x${".md".repeat(100_000)}!`, "personas/x(.md){19}.m…"],
    [`x${"\u{1f600}".repeat(200)}`, "personas/x\u{1f600}{29}.…"],
  ])("longer than 255 characters is only told so, whatever else it is (%#)", (name, path) => {
    for (const type of ["file", "dir", "strange"]) {
      const { candidates, unread, errors } = sortEntries([entry(name, type, maxFileBytes + 1)]);
      const error = {
        path: expect.stringMatching(new RegExp(`^${path}$`, "u")),
        line: null,
        detail: expect.stringContaining("255"),
      };
      expect([candidates, unread, errors]).toEqual([[], [], [error]]);
    }
  });

  test("of as many endings as it can hold costs no time", () => {
    const name = `Q${".md".repeat(84)}.m`;
    expect(errorOf(name, `${name.slice(0, 250)}.yaml`)).toHaveLength(2);
    expect(errorOf("Q.md.yaml.TXT.md")).toEqual([expect.stringContaining("rename it to `q.md`")]);
  });

  test("is not told to take another's", () => {
    expect(errorOf("Developer.md", "developer.md")).toEqual([expect.stringMatching(/`developer.md` is taken/)]);
  });

  test("is told a good one, whatever it is, and what it is told can be stored", () => {
    const name = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string().map((text) => `${text}.md`),
    );
    const listed = fc.record({
      name,
      type: fc.constantFrom("file", "dir", "symlink", "submodule", "__proto__", "toString"),
      size: fc.constantFrom(0, maxFileBytes, maxFileBytes + 1),
    });
    fc.assert(
      fc.property(fc.uniqueArray(listed, { selector: (one) => one.name }), (listing) => {
        const { candidates, unread, errors } = sortEntries(listing);
        const skipped = listing.filter((one) => one.name.startsWith(".") || one.name === "README.md");
        expect(candidates.length + errors.length + skipped.length).toBe(listing.length);
        expect([...candidates.map(({ slug }) => slug), ...unread].every((slug) => slugOfFile(`${slug}.md`))).toBe(true);
        for (const { path, line, detail } of errors) {
          expect([path, detail].every((text) => text.isWellFormed() && !text.includes("\0"))).toBe(true);
          expect(line).toBeNull();
          const proposed = /rename it to `(.*?)`/.exec(detail)?.[1];
          if (proposed !== undefined) expect(slugOfFile(proposed)).toBeDefined();
        }
      }),
      { numRuns: 200 },
    );
  });
});
