// The dispatched tasks beside the queue: a failure that the queue tells of already is not told twice.
import { Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { TaskSummary } from "@task-service/contract";
import { QueryView } from "../../components/query-view.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { DispatchedPanel } from "./dispatched-panel.tsx";
import { QueueSkeleton } from "./queue-skeleton.tsx";

interface DispatchedViewProps {
  query: UseQueryResult<TaskSummary[]>;
  /** The queue could not be loaded, or refreshed, and says so. */
  isTold: boolean;
}

/** A narrow window shows one of the two. */
const isAlone = (): boolean => window.matchMedia("(max-width: 899.9px)").matches;

export const DispatchedView = ({ query, isTold }: DispatchedViewProps) => {
  const { data, error, dataUpdatedAt } = query;
  const isQuiet = error !== null && isTold && !isAlone();
  return (
    <>
      {isQuiet && data && (
        <Text c="dimmed" size="xs" px={12} pb="xs">
          What was dispatched, from <RelativeTime at={new Date(dataUpdatedAt).toISOString()} />
        </Text>
      )}
      <QueryView
        query={isQuiet ? { ...query, error: null } : query}
        name="the dispatched tasks"
        skeleton={<QueueSkeleton />}
      >
        {(tasks) => <DispatchedPanel tasks={tasks} />}
      </QueryView>
    </>
  );
};
