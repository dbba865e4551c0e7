// Foreign text is harmless on screen: no scripts, no handlers, no images from elsewhere.
import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { MarkdownText } from "./markdown-text.tsx";

const show = (text: string) =>
  render(
    <MantineProvider env="test">
      <MarkdownText text={text} />
    </MantineProvider>,
  ).container;

test("renders Markdown below the headings of the page", async () => {
  show("# Title\n\n- [x] done\n\n| a |\n|---|\n| 1 |");
  expect(await screen.findByRole("heading", { level: 3, name: "Title" })).toBeDefined();
  expect(screen.getByRole("checkbox")).toBeDefined();
  expect(screen.getByRole("cell", { name: "1" })).toBeDefined();
});

test("headings keep their order whatever level the text begins with", async () => {
  show("### one\n\n###### two\n\n# three");
  await screen.findByRole("heading", { name: "three" });
  const levels = screen.getAllByRole("heading").map(({ tagName, textContent }) => `${tagName} ${textContent}`);
  expect(levels).toEqual(["H3 one", "H4 two", "H3 three"]);
});

test("hostile text does nothing", async () => {
  const container = show(
    [
      "<script>window.hacked = true</script>",
      '<img src=x onerror="window.hacked = true">',
      "[click](javascript:alert(1))",
      "[data](data:text/html,<script>alert(1)</script>)",
      "![tracker](https://evil.example/pixel.png)",
      '<a href="#" onclick="alert(1)" style="position:fixed">x</a>',
      "plain end",
    ].join("\n\n"),
  );
  await screen.findByText("plain end");
  await screen.findByRole("link", { name: "tracker" });
  expect(container.querySelectorAll("script, img, iframe, object, [onerror], [onclick], a[style]")).toHaveLength(0);
  const addresses = [...container.querySelectorAll("a")].map((link) => link.getAttribute("href") ?? "");
  expect(addresses.filter((address) => /^(javascript|data):/i.test(address))).toEqual([]);
  expect("hacked" in window).toBe(false);
});

test("links leave without a trace of where they came from", async () => {
  show("[docs](https://docs.example)");
  const link = await screen.findByRole("link", { name: "docs" });
  expect(link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
});

test.each([
  ["long", `**bold** ${"word ".repeat(5_000)}`],
  ["deeply nested", `${">".repeat(2_000)} **bold**`],
])("%s text is shown as it was written", (_name, text) => {
  const container = show(text);
  expect(container.textContent).toContain("**bold**");
  expect(container.querySelector("strong, blockquote")).toBeNull();
});
