// Every time the task was handed to an executor: to whom, for how long, how that ended, what it took.
import { Button, Table, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Dispatch } from "@task-service/contract";
import { useState } from "react";
import { MoreButton } from "../../components/more-button.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useClient } from "../../data/client-context.tsx";
import { taskDispatchPagesQuery } from "../../data/task-history-data.ts";
import { lasting } from "../../lib/instants.ts";
import { countWord, outcomeWord } from "../../lib/task-words.ts";
import { DispatchedPersonaDialog } from "./dispatched-persona-dialog.tsx";
import classes from "./task-page.module.css";
import { TaskSection } from "./task-section.tsx";

interface RowProps {
  dispatch: Dispatch;
  onOpen: () => void;
}

const Row = ({ dispatch, onOpen }: RowProps) => (
  <Table.Tr>
    <Table.Td>{dispatch.attempt}</Table.Td>
    <Table.Td style={{ overflowWrap: "anywhere" }}>
      <bdi>{dispatch.executor}</bdi>
    </Table.Td>
    <Table.Td>
      <RelativeTime at={dispatch.dispatched_at} />
    </Table.Td>
    <Table.Td>
      {dispatch.ended_at ? (
        lasting(dispatch.dispatched_at, dispatch.ended_at)
      ) : (
        <RelativeTime at={dispatch.dispatched_at} isAge />
      )}
    </Table.Td>
    <Table.Td>
      {outcomeWord(dispatch.outcome)}
      {dispatch.reason && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          <bdi>{dispatch.reason}</bdi>
        </Text>
      )}
    </Table.Td>
    <Table.Td ta="end">{countWord(dispatch.input_tokens)}</Table.Td>
    <Table.Td ta="end">{countWord(dispatch.output_tokens)}</Table.Td>
    <Table.Td className={classes.onScreen ?? ""}>
      <Button
        size="compact-xs"
        variant="default"
        onClick={onOpen}
        aria-label={`Persona of attempt ${dispatch.attempt}`}
      >
        Persona
      </Button>
    </Table.Td>
  </Table.Tr>
);

export const DispatchHistory = ({ id }: { id: string }) => {
  const query = useInfiniteQuery(taskDispatchPagesQuery(useClient(), id));
  const [opened, setOpened] = useState<Dispatch | null>(null);
  const dispatches = query.data?.pages.flatMap(({ items }) => items) ?? [];
  if (dispatches.length === 0) return null;
  return (
    <TaskSection title="Dispatches">
      <Table.ScrollContainer minWidth={620} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Attempt</Table.Th>
              <Table.Th>Executor</Table.Th>
              <Table.Th>Dispatched</Table.Th>
              <Table.Th>Ran</Table.Th>
              <Table.Th>Outcome</Table.Th>
              <Table.Th ta="end">Tokens in</Table.Th>
              <Table.Th ta="end">Out</Table.Th>
              <Table.Th className={classes.onScreen ?? ""}>As dispatched</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {dispatches.map((dispatch) => (
              <Row key={dispatch.id} dispatch={dispatch} onOpen={() => setOpened(dispatch)} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <MoreButton query={query}>Older dispatches</MoreButton>
      <DispatchedPersonaDialog dispatch={opened} onClose={() => setOpened(null)} />
    </TaskSection>
  );
};
