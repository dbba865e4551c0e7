// Writes Markdown, and shows how it will look: beside it where there is room, else on a second tab.
import { Box, Input, Tabs, Text, Textarea, type TextareaProps, VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useDeferredValue, useState } from "react";
import { FileDrop } from "./file-drop.tsx";
import classes from "./markdown-editor.module.css";
import { MarkdownText } from "./markdown-text.tsx";

interface MarkdownEditorProps extends Omit<TextareaProps, "value" | "onChange"> {
  value: string;
  onChange: (value: string) => void;
  maxCharacters: number;
  /** It has the page's whole width, so that wide windows show the preview beside it. */
  isWide?: boolean;
}

const Preview = ({ text }: { text: string }) => {
  // Typing goes first.
  const shown = useDeferredValue(text);
  return shown.trim() ? <MarkdownText text={shown} /> : <Text c="dimmed">Nothing written yet.</Text>;
};

export const MarkdownEditor = ({ value, onChange, maxCharacters, isWide = false, ...props }: MarkdownEditorProps) => {
  const [tab, setTab] = useState<string | null>("write");
  const hasRoom = useMediaQuery("(min-width: 1100px)", false, { getInitialValueInEffect: false });
  const field = (
    <FileDrop value={value} onChange={onChange} maxCharacters={maxCharacters} isLocked={props.readOnly ?? false}>
      <Textarea
        autosize
        minRows={10}
        maxRows={30}
        variant={props.readOnly ? "filled" : "default"}
        {...props}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </FileDrop>
  );
  if (isWide && hasRoom)
    return (
      <div className={classes.sides}>
        {field}
        <section aria-label="Preview">
          <Input.Label component="h2" size="sm" m={0}>
            Preview
          </Input.Label>
          <Input.Description mb={5}>How it will look.</Input.Description>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too (WCAG 2.1.1). */}
          <div className={classes.preview} tabIndex={0}>
            <Preview text={value} />
          </div>
        </section>
      </div>
    );
  return (
    <Tabs value={tab} onChange={setTab} variant="default" keepMounted>
      <Tabs.List mb="xs">
        <Tabs.Tab value="write">Write</Tabs.Tab>
        <Tabs.Tab value="preview">Preview</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="write">{field}</Tabs.Panel>
      <Tabs.Panel value="preview">
        <Box mih={240}>
          <VisuallyHidden component="h2">Preview</VisuallyHidden>
          {tab === "preview" && <Preview text={value} />}
        </Box>
      </Tabs.Panel>
    </Tabs>
  );
};
