// Takes text files into a text: dropped on it, pasted, or chosen.
import { Button, FileButton, Group, Text } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { takeTextFile } from "../lib/text-files.ts";
import classes from "./markdown-editor.module.css";

interface FileDropProps {
  value: string;
  onChange: (value: string) => void;
  maxCharacters: number;
  /** It takes nothing for the moment. */
  isLocked?: boolean;
  children: ReactNode;
}

const appended = (text: string, markdown: string): string =>
  text.trim() ? `${text.trimEnd()}\n\n${markdown}` : markdown;

export const FileDrop = ({ value, onChange, maxCharacters, isLocked = false, children }: FileDropProps) => {
  const latest = useRef(value);
  const [problems, setProblems] = useState<string[]>([]);
  const [isOver, setIsOver] = useState(false);
  const reset = useRef<() => void>(null);
  useEffect(() => {
    latest.current = value;
  }, [value]);

  const add = async (files: readonly File[]) => {
    if (isLocked) return;
    const refused: string[] = [];
    for (const file of files) {
      const taken = await takeTextFile(file, maxCharacters - [...latest.current].length - 2);
      if ("problem" in taken) refused.push(taken.problem);
      else {
        latest.current = appended(latest.current, taken.markdown);
        onChange(latest.current);
      }
    }
    setProblems(refused);
    // The same file may be chosen again.
    reset.current?.();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what a drop does, the button does too.
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        void add([...event.dataTransfer.files]);
      }}
      onPaste={(event) => {
        if (event.clipboardData.files.length === 0 || event.clipboardData.getData("text/plain")) return;
        event.preventDefault();
        void add([...event.clipboardData.files]);
      }}
    >
      {children}
      <Group gap="xs" mt={6}>
        <FileButton onChange={(files) => void add(files)} multiple resetRef={reset}>
          {(props) => (
            <Button
              {...props}
              size="compact-xs"
              variant="subtle"
              color="gray"
              disabled={isLocked}
              leftSection={<IconPaperclip size={14} />}
            >
              Add text files
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed" visibleFrom="sm">
          or drop them here
        </Text>
      </Group>
      {problems.length > 0 && (
        <Text
          size="sm"
          c="var(--mantine-color-error)"
          role="alert"
          component="div"
          style={{ overflowWrap: "anywhere" }}
        >
          {problems.map((problem) => (
            <div key={problem}>{problem}</div>
          ))}
        </Text>
      )}
    </div>
  );
};
