// Writes Markdown, and shows how it will look.
import { Box, Tabs, Text, Textarea, type TextareaProps, VisuallyHidden } from "@mantine/core";
import { MarkdownText } from "./markdown-text.tsx";

interface MarkdownEditorProps extends Omit<TextareaProps, "value" | "onChange"> {
  value: string;
  onChange: (value: string) => void;
}

export const MarkdownEditor = ({ value, onChange, ...textarea }: MarkdownEditorProps) => (
  <Tabs defaultValue="write" variant="default" keepMounted>
    <Tabs.List mb="xs">
      <Tabs.Tab value="write">Write</Tabs.Tab>
      <Tabs.Tab value="preview">Preview</Tabs.Tab>
    </Tabs.List>
    <Tabs.Panel value="write">
      <Textarea
        autosize
        minRows={10}
        maxRows={30}
        {...textarea}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </Tabs.Panel>
    <Tabs.Panel value="preview">
      <Box mih={240}>
        <VisuallyHidden component="h2">Preview</VisuallyHidden>
        {value.trim() ? <MarkdownText text={value} /> : <Text c="dimmed">Nothing written yet.</Text>}
      </Box>
    </Tabs.Panel>
  </Tabs>
);
