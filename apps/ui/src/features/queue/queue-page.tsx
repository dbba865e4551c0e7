// The first screen: what will be dispatched next, in order, and what has just been.
import { Button, SegmentedControl } from "@mantine/core";
import { IconFilterOff, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { LazyTaskPreview } from "../../components/lazy-task-preview.tsx";
import { useListPreview } from "../../components/list-preview.ts";
import { type ListRows, useFilteredRows } from "../../components/live-list/filtered-rows.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { TaskFilterBar } from "../../components/task-filters/task-filter-bar.tsx";
import { useClient } from "../../data/client-context.tsx";
import { meQuery } from "../../data/me-data.ts";
import { dispatchedQuery } from "../../data/task-data.ts";
import type { ListPlace } from "../../lib/list-place.ts";
import { isFiltered, queryFromFilters, searchFromFilters, type TaskFilterValues } from "../../lib/task-filters.ts";
import { dispatchedGroups, groupCountWord } from "./dispatched-panel.tsx";
import { DispatchedView } from "./dispatched-view.tsx";
import { QueueList } from "./queue-list.tsx";
import { QueueNumbers } from "./queue-numbers.tsx";
import classes from "./queue-page.module.css";
import { maxRows, useQueueRows } from "./queue-rows.ts";
import { QueueSkeleton } from "./queue-skeleton.tsx";

const QueueEmpty = lazy(() => import("./queue-empty.tsx"));

export type QueueView = "queue" | "dispatched";

export interface QueuePageProps {
  /** Which half a narrow window shows; a wide one shows both. */
  view: QueueView;
  filters: TaskFilterValues;
  place: ListPlace;
}

type Place = { [K in keyof ListPlace]: ListPlace[K] | undefined };

interface QueueScreenProps extends QueuePageProps {
  rows: ListRows;
  isWhole: boolean;
}

const QueueScreen = ({ view, filters, place, rows, isWhole }: QueueScreenProps) => {
  const { open } = place;
  const client = useClient();
  const navigate = useNavigate();
  const dispatched = useQuery(dispatchedQuery(client));
  const runningCount = dispatchedGroups(dispatched.data ?? []).running.length;
  /** Other filters make another list, which begins at its beginning. */
  const search = ({ filters: others, ...change }: Partial<Pick<QueuePageProps, "view" | "filters">> & Place) => {
    const next = { view, ...place, ...(others && { at: undefined }), ...change };
    return {
      ...searchFromFilters(others ?? filters),
      ...(next.view === "dispatched" && { view: next.view }),
      ...(next.open !== undefined && { open: next.open }),
      ...(next.at !== undefined && { at: next.at }),
    };
  };
  const preview = useListPreview(open, (id, step) => navigate({ to: "/", search: search({ open: id }), ...step }));

  return (
    <>
      <PageHeader
        title="Queue"
        numbers={<QueueNumbers total={rows.total} isMore={rows.isMore} isWhole={isWhole} />}
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
        onChange={(next) => navigate({ to: "/", search: search({ view: next as QueueView }), replace: true })}
        data={[
          { value: "queue", label: "Queued" },
          { value: "dispatched", label: `Dispatched · ${groupCountWord(runningCount)} running` },
        ]}
      />
      <div className={classes.halves} data-view={view} data-preview={open !== undefined || undefined}>
        <section className={classes.queue} aria-label="Queued tasks">
          <TaskFilterBar
            value={filters}
            onChange={(next) => void navigate({ to: "/", search: search({ filters: next }), resetScroll: false })}
            without={["State", "Person", "Assigned to"]}
            sorts={["queue", "-created_at", "created_at", "-updated_at"]}
          />
          <QueryView query={rows.query} name="the queue" skeleton={<QueueSkeleton />}>
            {() => {
              if (rows.live.total > 0)
                return (
                  <QueueList
                    key={rows.identity}
                    rows={rows}
                    isWhole={isWhole}
                    openId={open}
                    onPreview={preview}
                    at={place.at && Math.min(place.at, maxRows)}
                    onRest={(at) =>
                      navigate({ to: "/", search: search({ at }), replace: true, resetScroll: false, state: true })
                    }
                    onOpen={(id) => void navigate({ to: "/tasks/$id", params: { id } })}
                  />
                );
              if (isWhole)
                return (
                  <Suspense fallback={null}>
                    <QueueEmpty runningCount={runningCount} />
                  </Suspense>
                );
              return (
                <EmptyNotice
                  icon={<IconFilterOff />}
                  title="Nothing in the queue fits"
                  action={
                    <Button onClick={() => void navigate({ to: "/", search: search({ filters: {} }) })}>
                      Clear the filters
                    </Button>
                  }
                />
              );
            }}
          </QueryView>
        </section>
        {open !== undefined && (
          <div className={classes.preview}>
            <LazyTaskPreview id={open} onClose={() => preview(undefined)} />
          </div>
        )}
        <aside className={classes.dispatched} aria-label="Dispatched tasks">
          <DispatchedView query={dispatched} isTold={rows.query.error !== null} />
        </aside>
      </div>
    </>
  );
};

const WholeQueue = (page: QueuePageProps) => <QueueScreen {...page} rows={useQueueRows()} isWhole />;

const FilteredQueue = (page: QueuePageProps) => {
  const { data: me } = useQuery(meQuery(useClient()));
  const query = { ...queryFromFilters(page.filters, me?.sub ?? ""), state: "queued" } as const;
  const rows = useFilteredRows({ ...query, sort: query.sort ?? "queue" });
  return <QueueScreen {...page} rows={rows} isWhole={false} />;
};

export const QueuePage = (page: QueuePageProps) => {
  const { sort } = page.filters;
  const isWhole = !isFiltered(page.filters) && (sort === undefined || sort === "queue");
  return isWhole ? <WholeQueue {...page} /> : <FilteredQueue {...page} />;
};
