// The notes of the task in hand, and a field to leave one.
import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { maxNoteCharacters } from "@task-service/contract";
import { useState } from "react";
import { MarkdownText } from "../../components/markdown-text.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useClient } from "../../data/client-context.tsx";
import { latestNotesQuery, useLeaveNote } from "../../data/responder-data.ts";
import { problemWords } from "../../lib/problem-words.ts";
import classes from "./desk.module.css";

interface NotesProps {
  task: string;
  /** Left out once it is over: anybody may leave a note. */
  dispatch?: string;
}

export const Notes = ({ task, dispatch }: NotesProps) => {
  const { data: notes = [] } = useQuery(latestNotesQuery(useClient(), task));
  const leave = useLeaveNote(task, dispatch);
  const [note, setNote] = useState({ text: "", key: crypto.randomUUID() });
  const send = () => {
    if (note.text.trim() && !leave.isPending)
      leave.mutate(note, { onSuccess: () => setNote({ text: "", key: crypto.randomUUID() }) });
  };
  return (
    <Stack gap="sm" component="section" aria-labelledby="notes">
      <Text component="h2" id="notes" fw={600} m={0}>
        Notes
      </Text>
      {notes.length > 0 && (
        <ul className={classes.notes}>
          {notes.map(({ id, actor, at, text }) => (
            <li key={id}>
              <Text size="xs" c="dimmed">
                <bdi>{actor.name}</bdi> · <RelativeTime at={at} />
              </Text>
              <MarkdownText text={text} />
            </li>
          ))}
        </ul>
      )}
      <Textarea
        label="Leave a note"
        description="For people, and for whoever takes the task over."
        autosize
        minRows={2}
        maxLength={maxNoteCharacters}
        value={note.text}
        onChange={({ currentTarget }) => setNote({ ...note, text: currentTarget.value })}
        onKeyDown={getHotkeyHandler([["mod+Enter", send]])}
        error={leave.error && problemWords(leave.error)}
      />
      <Group>
        <Button size="xs" variant="default" onClick={send} loading={leave.isPending} disabled={!note.text.trim()}>
          Leave note
        </Button>
      </Group>
    </Stack>
  );
};
