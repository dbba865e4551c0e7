// The queue's few numbers, in one line.
import type { TaskSummary } from "@task-service/contract";
import { RelativeTime } from "../../components/relative-time.tsx";

interface QueueNumbersProps {
  tasks: readonly TaskSummary[];
  hasMore: boolean;
  runningCount: number;
}

export const QueueNumbers = ({ tasks, hasMore, runningCount }: QueueNumbersProps) => {
  const oldest = tasks.map(({ queued_at }) => queued_at).toSorted()[0];
  return (
    <>
      {tasks.length}
      {hasMore && "+"} queued
      {oldest && !hasMore && (
        <>
          {" · oldest "}
          <RelativeTime at={oldest} isAge />
        </>
      )}
      {` · ${runningCount} running`}
    </>
  );
};
