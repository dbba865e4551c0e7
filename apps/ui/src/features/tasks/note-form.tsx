// Writes a note. What is typed is kept until it is left, also if the tab closes.
import { Button, Group, Text, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { maxNoteCharacters } from "@task-service/contract";
import { useKeptText } from "../../components/kept-draft.ts";
import { useClient } from "../../data/client-context.tsx";
import { meQuery } from "../../data/me-data.ts";
import { useLeaveNote } from "../../data/task-note-data.ts";
import { problemWords } from "../../lib/problem-words.ts";
import { useSendOnce } from "../../lib/send-once.ts";
import { countWord } from "../../lib/task-words.ts";
import classes from "./task-page.module.css";

export const NoteForm = ({ id }: { id: string }) => {
  const { data: me } = useQuery(meQuery(useClient()));
  const { text, write, clear } = useKeptText(`note/${me?.sub ?? ""}/${id}`);
  const leave = useLeaveNote(id);
  const once = useSendOnce();
  const length = [...text].length;
  const isTooLong = length > maxNoteCharacters;
  const send = async () => {
    if (!text.trim() || isTooLong || leave.isPending) return;
    try {
      // What is given to `mutate` would not run any more once the page is left.
      await leave.mutateAsync({ text, idempotencyKey: once.keyOf(text) });
    } catch {
      return;
    }
    once.forget();
    clear(text);
  };
  const tooLong = `A note holds ${countWord(maxNoteCharacters)} characters; this is ${countWord(length)}.`;

  return (
    <form
      className={classes.noteForm}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Textarea
        aria-label="New note"
        placeholder="Leave a note for people and workers …"
        autosize
        minRows={2}
        maxRows={16}
        value={text}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={getHotkeyHandler([["mod+Enter", () => void send()]])}
        error={isTooLong ? tooLong : leave.error && problemWords(leave.error)}
      />
      {text && (
        <Group gap="sm" mt="xs">
          <Button type="submit" size="xs" loading={leave.isPending} disabled={!text.trim() || isTooLong}>
            Leave note
          </Button>
          <Text size="xs" c="dimmed" visibleFrom="sm">
            Markdown · Ctrl Enter leaves it
          </Text>
        </Group>
      )}
    </form>
  );
};
