// Everything that happened to the task, newest first: who did what, and when.
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { RelativeTime } from "../../components/relative-time.tsx";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { taskEventsQuery } from "../../data/task-data.ts";
import { eventWords } from "./event-words.ts";
import classes from "./task-page.module.css";
import { TaskSection } from "./task-section.tsx";

export const TaskHistory = ({ id }: { id: string }) => {
  const client = useClient();
  const { data: events = [] } = useQuery(taskEventsQuery(client, id));
  const { data: agentTypes } = useQuery(agentTypesQuery(client));
  const nameAssignee = (assignee: unknown) =>
    agentTypes?.find((type) => type.id === assignee)?.name ?? (assignee ? String(assignee) : "nobody");
  return (
    <TaskSection title="History">
      <ol className={classes.events}>
        {events.map((event) => (
          <li key={event.id}>
            <Text component="span">
              <bdi className={classes.actor}>{event.actor.name}</bdi> <bdi>{eventWords(event, nameAssignee)}</bdi>
            </Text>
            <Text component="span" c="dimmed" size="xs">
              <RelativeTime at={event.at} />
            </Text>
          </li>
        ))}
      </ol>
    </TaskSection>
  );
};
