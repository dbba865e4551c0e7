// The first screen: what will be dispatched next, in order, and what has just been.
import { Button, SegmentedControl } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { useClient } from "../../data/client-context.tsx";
import { dispatchedQuery, queueQuery } from "../../data/task-data.ts";
import { DispatchedPanel, dispatchedGroups } from "./dispatched-panel.tsx";
import { QueueEmpty } from "./queue-empty.tsx";
import { QueueList } from "./queue-list.tsx";
import { QueueNumbers } from "./queue-numbers.tsx";
import classes from "./queue-page.module.css";
import { QueueSkeleton } from "./queue-skeleton.tsx";

export type QueueView = "queue" | "dispatched";

/** `view` says which half a narrow window shows; a wide one shows both. */
export const QueuePage = ({ view }: { view: QueueView }) => {
  const client = useClient();
  const navigate = useNavigate();
  const queue = useInfiniteQuery(queueQuery(client));
  const dispatched = useQuery(dispatchedQuery(client));
  const tasks = useMemo(() => queue.data?.pages.flatMap(({ items }) => items) ?? [], [queue.data]);
  const runningCount = dispatchedGroups(dispatched.data ?? []).running.length;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = queue;

  return (
    <>
      <PageHeader
        title="Queue"
        numbers={queue.data && <QueueNumbers tasks={tasks} hasMore={hasNextPage} runningCount={runningCount} />}
        action={
          <Button
            leftSection={<IconPlus size={16} />}
            renderRoot={(props) => <Link to="/tasks/new" aria-keyshortcuts="c" {...props} />}
          >
            New task
          </Button>
        }
      />
      <SegmentedControl
        className={classes.switch ?? ""}
        fullWidth
        mb="md"
        aria-label="What to show"
        value={view}
        onChange={(next) => navigate({ to: "/", search: next === "dispatched" ? { view: next } : {}, replace: true })}
        data={[
          { value: "queue", label: "Queued" },
          { value: "dispatched", label: `Dispatched · ${runningCount} running` },
        ]}
      />
      <div className={classes.halves} data-view={view}>
        <section className={classes.queue} aria-label="Queued tasks">
          <QueryView query={queue} name="the queue" skeleton={<QueueSkeleton />}>
            {() =>
              tasks.length === 0 ? (
                <QueueEmpty runningCount={runningCount} />
              ) : (
                <QueueList
                  tasks={tasks}
                  hasMore={hasNextPage}
                  isLoadingMore={isFetchingNextPage}
                  onLoadMore={fetchNextPage}
                />
              )
            }
          </QueryView>
        </section>
        <aside className={classes.dispatched} aria-label="Dispatched tasks">
          <QueryView query={dispatched} name="the dispatched tasks" skeleton={<QueueSkeleton />}>
            {(dispatchedTasks) => <DispatchedPanel tasks={dispatchedTasks} />}
          </QueryView>
        </aside>
      </div>
    </>
  );
};
