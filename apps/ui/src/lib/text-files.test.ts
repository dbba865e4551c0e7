// What becomes of files that are put into a text: fenced whole, or refused in words.
import { expect, test } from "vitest";
import { takeTextFile } from "./text-files.ts";

const take = (content: BlobPart, name = "build.log", room = 1_000) => takeTextFile(new File([content], name), room);

test("a text file stands in a block of its own, with its name", async () => {
  expect(await take("one\r\ntwo\n")).toEqual({ markdown: "`build.log`\n\n```log\none\ntwo\n```\n" });
});

test("a file with fences in it does not end its block", async () => {
  expect(await take("````\ninside\n````", "odd`name")).toEqual({
    markdown: "`odd name`\n\n`````\n````\ninside\n````\n`````\n",
  });
});

test.each<[string, BlobPart, string]>([
  [
    "bytes that are no UTF-8",
    new Uint8Array([0xff, 0xd8, 0xff]),
    "is not a text file: only text in UTF-8 can be added.",
  ],
  ["a NUL", "a\0b", "is not a text file: only text in UTF-8 can be added."],
  ["nothing", " \n", "is empty."],
  ["too much", "x".repeat(1_001), "is too long: there is room for 1,000 characters."],
  ["far too much", "x".repeat(10_000), "is too long: there is room for 1,000 characters."],
])("refuses %s", async (_name, content, words) => {
  expect(await take(content, "some.file")).toEqual({ problem: `some.file ${words}` });
});
