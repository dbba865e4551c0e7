// Why the task is not being worked on: its place in the queue, what goes before it, and how long that may take.
import { List, Paper, Skeleton, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { QueryView } from "../../components/query-view.tsx";
import { useClient } from "../../data/client-context.tsx";
import { taskPositionQuery } from "../../data/task-position-data.ts";
import { positionWords } from "../../lib/task-words.ts";

export const WhyWaiting = ({ id }: { id: string }) => {
  const query = useQuery(taskPositionQuery(useClient(), id));
  const title = useId();
  return (
    <Paper component="section" withBorder p="sm" aria-labelledby={title}>
      <Title order={2} size="h6" id={title} mb={4}>
        Why is it waiting
      </Title>
      <QueryView query={query} name="its place in the queue" skeleton={<Skeleton h={72} />}>
        {(position) => {
          const { place, reasons, wait, overtaken } = positionWords(position);
          return (
            <>
              {place && <Text fw={600}>{place}</Text>}
              <List size="sm" spacing={2} my={4}>
                {reasons.map((reason) => (
                  <List.Item key={reason}>{reason}.</List.Item>
                ))}
              </List>
              {place && (
                <Text size="sm" c="dimmed">
                  {wait
                    ? `${wait}, at the rate of the last hour.`
                    : "No estimate: nothing was dispatched in the last hour."}
                </Text>
              )}
              {overtaken && (
                <Text size="sm" c="dimmed" mt={4}>
                  {overtaken}: their priority is higher, or an executor asked for their agent type only.
                </Text>
              )}
            </>
          );
        }}
      </QueryView>
    </Paper>
  );
};
