// The part that renders Markdown: fetched once, ahead of need where that can be, and anew if it could not be had.
import type { ComponentType } from "react";

export type MarkdownPart = ComponentType<{ text: string }>;

let part: MarkdownPart | null = null;
let fetching: Promise<MarkdownPart> | null = null;

/** Null while it has not been fetched. */
export const markdownPart = (): MarkdownPart | null => part;

/** Rejects if it cannot be had; the next call tries again. */
export const fetchMarkdownPart = (): Promise<MarkdownPart> => {
  fetching ??= import("./markdown-renderer.tsx").then(
    ({ default: fetched }) => {
      part = fetched;
      return fetched;
    },
    (error: unknown) => {
      fetching = null;
      throw error;
    },
  );
  return fetching;
};

/** For screens that will need it: it comes with their data instead of after them. */
export const warmMarkdown = (): void => void fetchMarkdownPart().catch(() => undefined);
