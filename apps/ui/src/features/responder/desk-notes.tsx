// The notes of the task in hand, and a field to leave one.
import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { maxNoteCharacters } from "@task-service/contract";
import { useKeptText } from "../../components/kept-draft.ts";
import { MarkdownText } from "../../components/markdown-text.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useClient } from "../../data/client-context.tsx";
import { meQuery } from "../../data/me-data.ts";
import { latestNotesQuery, useLeaveNote } from "../../data/responder-data.ts";
import { problemWords } from "../../lib/problem-words.ts";
import { useSendOnce } from "../../lib/send-once.ts";
import classes from "./desk.module.css";

interface NotesProps {
  task: string;
  /** Left out once it is over: anybody may leave a note. */
  dispatch?: string;
}

export const Notes = ({ task, dispatch }: NotesProps) => {
  const client = useClient();
  const { data: notes = [] } = useQuery(latestNotesQuery(client, task));
  const { data: me } = useQuery(meQuery(client));
  const leave = useLeaveNote(task, dispatch);
  // The same draft as on the task's page: what was not sent before the task is finished is found there.
  const { text, write, clear } = useKeptText(`note/${me?.sub ?? ""}/${task}`);
  const once = useSendOnce();
  const send = async () => {
    if (!text.trim() || leave.isPending) return;
    try {
      // What is given to `mutate` would not run any more once the page is left.
      await leave.mutateAsync({ text, key: once.keyOf(text) });
    } catch {
      return;
    }
    once.forget();
    clear(text);
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
        value={text}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={getHotkeyHandler([["mod+Enter", () => void send()]])}
        error={leave.error && problemWords(leave.error)}
      />
      <Group>
        <Button size="xs" variant="default" onClick={send} loading={leave.isPending} disabled={!text.trim()}>
          Leave note
        </Button>
      </Group>
    </Stack>
  );
};
