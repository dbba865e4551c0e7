// Foreign text at a terminal: what steers it is shown and does nothing, colours of a worker's output pass.
import { expect, test } from "vitest";
import { printable, printableOutput, printableText } from "./printable-text.ts";

test.each([
  ["a clipboard", "\u001b]52;c;ZXZpbA==\u0007", String.raw`\u{1b}]52;c;ZXZpbA==\u{7}`],
  ["a title", "\u001b]0;root\u001b\\", "\\u{1b}]0;root\\u{1b}\\"],
  ["a cursor", "\u001b[2K\u001b[1A", String.raw`\u{1b}[2K\u{1b}[1A`],
  ["a keyboard", "\u001b[>4;2m", String.raw`\u{1b}[>4;2m`],
  ["C1", "\u009b31m\u0085", String.raw`\u{9b}31m\u{85}`],
  ["lone controls", "\u0000\b\r\u007f", String.raw`\u{0}\u{8}\u{d}\u{7f}`],
  ["directions", "\u202e\u2066\u2069\u200e\u200f", String.raw`\u{202e}\u{2066}\u{2069}\u{200e}\u{200f}`],
  ["line separators", "\u2028\u2029", String.raw`\u{2028}\u{2029}`],
])("%s is shown, in any kind of text", (_, text, shown) => {
  for (const made of [printable, printableText, printableOutput]) expect(made(`a${text}b`)).toBe(`a${shown}b`);
});

test("joiners of emoji and scripts stay", () => {
  const text = "👩‍💻 می‌خواهم";
  for (const made of [printable, printableText, printableOutput]) expect(made(text)).toBe(text);
});

test("lines and tabs stay where there may be any", () => {
  expect(printable("a\tb\n")).toBe(String.raw`a\u{9}b\u{a}`);
  expect(printableText("a\tb\r\nc\n")).toBe("a\tb\nc\n");
  expect(printableOutput("a\tb")).toBe("a\tb");
});

test("colours stay in output only, and end with their line", () => {
  expect(printableOutput("\u001b[1;38:5:208mhot")).toBe("\u001b[1;38:5:208mhot\u001b[0m");
  expect(printable("\u001b[1mhot")).toBe(String.raw`\u{1b}[1mhot`);
});
