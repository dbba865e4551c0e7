// Foreign text as Markdown: its renderer loads when it is first needed, heavy texts stay as they were written.
import { Text } from "@mantine/core";
import { CatchBoundary } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { isTooHeavy } from "../lib/markdown-limits.ts";
import { PlainText } from "./plain-text.tsx";

const MarkdownRenderer = lazy(() => import("./markdown-renderer.tsx"));

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
      <Suspense fallback={plain}>
        <MarkdownRenderer text={text} />
      </Suspense>
    </CatchBoundary>
  );
};
