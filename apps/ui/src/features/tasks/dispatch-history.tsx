// Every time the task was handed to an executor, and how that ended.
import { Anchor, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Dispatch } from "@task-service/contract";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useClient } from "../../data/client-context.tsx";
import { taskDispatchesQuery } from "../../data/task-data.ts";
import { countWord, outcomeWord } from "../../lib/task-words.ts";
import { TaskSection } from "./task-section.tsx";

const Row = ({ dispatch }: { dispatch: Dispatch }) => (
  <Table.Tr>
    <Table.Td>{dispatch.attempt}</Table.Td>
    <Table.Td>{dispatch.executor}</Table.Td>
    <Table.Td>
      <RelativeTime at={dispatch.dispatched_at} />
    </Table.Td>
    <Table.Td>
      {outcomeWord(dispatch.outcome)}
      {dispatch.reason && (
        <Text size="xs" c="dimmed">
          <bdi>{dispatch.reason}</bdi>
        </Text>
      )}
    </Table.Td>
    <Table.Td>
      <Anchor
        renderRoot={(props) => (
          <Link
            to="/agents/$id"
            params={{ id: dispatch.agent_type_id }}
            search={{ version: dispatch.agent_type_version_id }}
            {...props}
          />
        )}
      >
        As it was
      </Anchor>
    </Table.Td>
    <Table.Td ta="end">
      {countWord(dispatch.input_tokens)} / {countWord(dispatch.output_tokens)}
    </Table.Td>
  </Table.Tr>
);

export const DispatchHistory = ({ id }: { id: string }) => {
  const { data: dispatches = [] } = useQuery(taskDispatchesQuery(useClient(), id));
  if (dispatches.length === 0) return null;
  return (
    <TaskSection title="Dispatches">
      <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Attempt</Table.Th>
              <Table.Th>Executor</Table.Th>
              <Table.Th>Dispatched</Table.Th>
              <Table.Th>Outcome</Table.Th>
              <Table.Th>Persona</Table.Th>
              <Table.Th ta="end">Tokens in / out</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {dispatches.map((dispatch) => (
              <Row key={dispatch.id} dispatch={dispatch} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </TaskSection>
  );
};
