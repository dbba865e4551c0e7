// Word that people and workers left on the task, and a place to leave one.
import { Paper, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Note } from "@task-service/contract";
import { MarkdownText } from "../../components/markdown-text.tsx";
import { MoreButton } from "../../components/more-button.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useClient } from "../../data/client-context.tsx";
import { taskNotesQuery } from "../../data/task-note-data.ts";
import { NoteForm } from "./note-form.tsx";
import classes from "./task-page.module.css";
import { TaskSection } from "./task-section.tsx";

const NoteItem = ({ note }: { note: Note }) => (
  <Paper component="li" withBorder p="sm">
    <Text size="xs" c="dimmed" mb={4} component="div">
      <bdi className={classes.actor}>{note.actor.name}</bdi> <RelativeTime at={note.at} />
      {note.dispatch_id && " · in a dispatch"}
    </Text>
    <MarkdownText text={note.text} />
  </Paper>
);

export const TaskNotes = ({ id }: { id: string }) => {
  const query = useInfiniteQuery(taskNotesQuery(useClient(), id));
  const notes = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <TaskSection title="Notes">
      <NoteForm key={id} id={id} />
      {query.data && notes.length === 0 && (
        <Text c="dimmed" size="sm">
          None yet. Whoever takes the task is given the last 20.
        </Text>
      )}
      <Stack component="ol" gap="xs" p={0} m={0} aria-label="Notes, newest first" style={{ listStyle: "none" }}>
        {notes.map((note) => (
          <NoteItem key={note.id} note={note} />
        ))}
      </Stack>
      <MoreButton query={query}>Older notes</MoreButton>
    </TaskSection>
  );
};
