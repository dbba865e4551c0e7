// Foreign text as Markdown: its place is held until what renders it is there, heavy texts stay as they were written.
import { Skeleton, Text } from "@mantine/core";
import { CatchBoundary } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { isTooHeavy } from "../lib/markdown-limits.ts";
import { fetchMarkdownPart, type MarkdownPart, markdownPart } from "./markdown-part.ts";
import { PlainText } from "./plain-text.tsx";

const lineHeight = 22;
const lineCharacters = 90;
const maxLines = 30;

/** About as high as the text will be, so that what stands below moves little when it comes. */
const Place = ({ text }: { text: string }) => {
  const lines = text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineCharacters)), 0);
  return <Skeleton h={Math.min(lines, maxLines) * lineHeight} aria-busy />;
};

const Rendered = ({ text }: { text: string }) => {
  const [part, setPart] = useState<{ Part: MarkdownPart | null } | null>(() => {
    const Part = markdownPart();
    return Part && { Part };
  });
  useEffect(() => {
    if (part) return;
    let isOver = false;
    const set = (Part: MarkdownPart | null) => isOver || setPart({ Part });
    fetchMarkdownPart().then(set, () => set(null));
    return () => {
      isOver = true;
    };
  }, [part]);
  if (!part) return <Place text={text} />;
  return part.Part ? <part.Part text={text} /> : <PlainText text={text} />;
};

export const MarkdownText = ({ text }: { text: string }) => {
  const plain = <PlainText text={text} />;
  if (isTooHeavy(text))
    return (
      <>
        <Text size="xs" c="dimmed" mb={4}>
          A long text, shown as it was written.
        </Text>
        {plain}
      </>
    );
  // A text that breaks the renderer is shown as it was written.
  return (
    <CatchBoundary getResetKey={() => text} errorComponent={() => plain}>
      <Rendered text={text} />
    </CatchBoundary>
  );
};
