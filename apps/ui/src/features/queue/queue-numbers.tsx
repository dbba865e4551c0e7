// The queue's few numbers, in one line: how many, since when, how quickly, and who waits for them.
import { useQuery } from "@tanstack/react-query";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useClient } from "../../data/client-context.tsx";
import { executorsQuery } from "../../data/executor-data.ts";
import { statsQuery } from "../../data/stats-data.ts";
import { countWord } from "../../lib/task-words.ts";

interface QueueNumbersProps {
  /** How many tasks the list holds; undefined until it is known. */
  total: number | undefined;
  isMore: boolean;
  /** It is the whole queue. */
  isWhole: boolean;
}

/** "22 a minute", with one digit behind the point where it is slow. */
const rateWord = (perMinute: number): string =>
  `${perMinute >= 10 ? Math.round(perMinute) : Number(perMinute.toFixed(1))}/min`;

export const QueueNumbers = ({ total, isMore, isWhole }: QueueNumbersProps) => {
  const client = useClient();
  const { data: stats } = useQuery(statsQuery(client));
  const { data: executors } = useQuery(executorsQuery(client));
  if (total === undefined) return null;
  const count = `${countWord(total)}${isMore ? "+" : ""}`;
  if (!isWhole) return `${count} of the queue found`;
  const waiting = executors?.filter(({ is_waiting }) => is_waiting).length;
  return (
    <>
      {count} queued
      {total > 0 && stats?.oldest_queued_at && (
        <>
          {" · oldest "}
          <RelativeTime at={stats.oldest_queued_at} isAge />
        </>
      )}
      {stats && ` · ${rateWord(stats.dispatch.last_1h.per_minute)}`}
      {waiting !== undefined && ` · ${waiting} ${waiting === 1 ? "executor" : "executors"} waiting`}
    </>
  );
};
