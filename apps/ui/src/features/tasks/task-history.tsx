// Everything that happened to the task, newest first: who did what, when, and what it was before.
import { Checkbox, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Event } from "@task-service/contract";
import { useState } from "react";
import { MoreButton } from "../../components/more-button.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { taskHistoryQuery } from "../../data/task-history-data.ts";
import { eventChanges, eventWords, type NameAssignee } from "./event-words.ts";
import classes from "./task-page.module.css";
import { TaskSection } from "./task-section.tsx";
import { TextChange } from "./text-change.tsx";

const texts = ["prompt", "result"] as const;

const HistoryItem = ({ event, nameAssignee }: { event: Event; nameAssignee: NameAssignee }) => {
  const changes = eventChanges(event);
  return (
    <li>
      <div>
        <bdi className={classes.actor}>{event.actor.name}</bdi> <bdi>{eventWords(event, nameAssignee)}</bdi>
        {texts.map((name) => changes[name] && <TextChange key={name} name={name} change={changes[name]} />)}
      </div>
      <Text component="span" c="dimmed" size="xs">
        <RelativeTime at={event.at} />
      </Text>
    </li>
  );
};

export const TaskHistory = ({ id }: { id: string }) => {
  const client = useClient();
  const [isChangesOnly, setIsChangesOnly] = useState(false);
  const query = useInfiniteQuery({
    ...taskHistoryQuery(client, id, isChangesOnly),
    placeholderData: keepPreviousData,
  });
  const { data: agentTypes } = useQuery(agentTypesQuery(client));
  const nameAssignee = (assignee: unknown) =>
    agentTypes?.find((type) => type.id === assignee)?.name ?? (assignee ? String(assignee) : "nobody");
  return (
    <TaskSection
      title="History"
      action={
        <Checkbox
          className={classes.onScreen ?? ""}
          size="xs"
          label="Changes only"
          checked={isChangesOnly}
          onChange={({ currentTarget }) => setIsChangesOnly(currentTarget.checked)}
        />
      }
    >
      <QueryView query={query} name="the history" skeleton={null}>
        {({ pages }) => {
          const events = pages.flatMap(({ items }) => items);
          return events.length === 0 ? (
            <Text c="dimmed">{isChangesOnly ? "Nothing was changed since it was created." : "Nothing is kept."}</Text>
          ) : (
            <ol className={classes.events}>
              {events.map((event) => (
                <HistoryItem key={event.id} event={event} nameAssignee={nameAssignee} />
              ))}
            </ol>
          );
        }}
      </QueryView>
      <MoreButton query={query}>Older history</MoreButton>
    </TaskSection>
  );
};
