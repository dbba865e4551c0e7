// The part that renders Markdown on its way: its place is held, nothing is shown raw and then again; raw only without it.
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  cleanup();
  vi.resetModules();
});

/** A page whose server answers for the part what `answer` does. */
const openPage = async (answer: () => Promise<unknown>) => {
  vi.doMock("./markdown-renderer.tsx", answer);
  const { warmMarkdown } = await import("./markdown-part.ts");
  const { MarkdownText } = await import("./markdown-text.tsx");
  const show = (text: string) =>
    render(
      <MantineProvider env="test">
        <MarkdownText text={text} />
      </MantineProvider>,
    ).container;
  return { show, warmMarkdown };
};

const part = { default: ({ text }: { text: string }) => <strong>{text}</strong> };

test("the text's place is held while the part is on its way", async () => {
  const arrival = Promise.withResolvers<typeof part>();
  const { show } = await openPage(() => arrival.promise);
  const container = show("one\n\ntwo");
  expect(screen.queryByText(/one/)).toBeNull();
  expect(container.querySelector("[aria-busy]")).not.toBeNull();
  arrival.resolve(part);
  expect((await screen.findByRole("strong")).textContent).toBe("one\n\ntwo");
  expect(container.querySelector("[aria-busy]")).toBeNull();
});

test("a part that was fetched ahead of need shows the text at once", async () => {
  const { show, warmMarkdown } = await openPage(async () => part);
  warmMarkdown();
  await vi.waitFor(
    () => {
      expect(show("here").querySelector("[aria-busy]")).toBeNull();
    },
    { timeout: 5000 },
  );
  expect(screen.getAllByRole("strong").length).toBeGreaterThan(0);
});

test("without the part the text is shown as it was written; the next one tries again", async () => {
  const answers = [() => Promise.reject(new TypeError("Failed to fetch")), async () => part];
  const { show } = await openPage(async () => answers.shift()?.());
  show("**bold**");
  expect(await screen.findByText("**bold**")).toBeDefined();
  expect(screen.queryByRole("strong")).toBeNull();
  show("again");
  expect((await screen.findByRole("strong")).textContent).toBe("again");
});
