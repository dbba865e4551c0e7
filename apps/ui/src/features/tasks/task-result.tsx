// What the worker wrote when it was done.
import { Paper } from "@mantine/core";
import { CopyIcon } from "../../components/copy-icon.tsx";
import { MarkdownText } from "../../components/markdown-text.tsx";
import { TaskSection } from "./task-section.tsx";

export const TaskResult = ({ result }: { result: string }) => (
  <TaskSection title="Result" action={<CopyIcon text={result} name="the result" />}>
    <Paper withBorder p="md">
      <MarkdownText text={result} />
    </Paper>
  </TaskSection>
);
