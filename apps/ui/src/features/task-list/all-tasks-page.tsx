// Every task there is: also those of people, and those long dispatched; narrowed by filters that stand in the address.
import { Button } from "@mantine/core";
import { IconFilterOff, IconListDetails, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { LazyTaskPreview } from "../../components/lazy-task-preview.tsx";
import { useListPreview } from "../../components/list-preview.ts";
import { type ListRows, useFilteredRows } from "../../components/live-list/filtered-rows.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { ScreenSkeleton } from "../../components/screen-skeleton.tsx";
import { TaskFilterBar } from "../../components/task-filters/task-filter-bar.tsx";
import { useClient } from "../../data/client-context.tsx";
import { meQuery } from "../../data/me-data.ts";
import type { ListPlace } from "../../lib/list-place.ts";
import { isFiltered, queryFromFilters, searchFromFilters, type TaskFilterValues } from "../../lib/task-filters.ts";
import { countWord } from "../../lib/task-words.ts";
import classes from "./all-tasks-page.module.css";
import { QuickViews } from "./quick-views.tsx";
import { TaskList } from "./task-list.tsx";

interface AllTasksPageProps {
  filters: TaskFilterValues;
  place: ListPlace;
}

const numbersOf = ({ total, isMore }: ListRows): string | undefined =>
  total === undefined ? undefined : `${countWord(total)}${isMore ? "+" : ""} ${total === 1 ? "task" : "tasks"}`;

const AllTasksPage = ({ filters, place }: AllTasksPageProps) => {
  const { open, at } = place;
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery(useClient()));
  const rows = useFilteredRows(queryFromFilters(filters, me?.sub ?? ""));

  const filter = (next: TaskFilterValues) =>
    void navigate({ to: "/tasks", search: searchFromFilters(next), resetScroll: false });

  const search = (openId: string | undefined, row: number | undefined) => ({
    ...searchFromFilters(filters),
    ...(openId !== undefined && { open: openId }),
    ...(row !== undefined && { at: row }),
  });
  const preview = useListPreview(open, (id, step) => navigate({ to: "/tasks", search: search(id, at), ...step }));

  const nothing = isFiltered(filters) ? (
    <EmptyNotice
      icon={<IconFilterOff />}
      title="No task fits"
      action={<Button onClick={() => filter({})}>Clear the filters</Button>}
    >
      None of the tasks there are has all that is asked for.
    </EmptyNotice>
  ) : (
    <EmptyNotice icon={<IconListDetails />} title="No tasks yet">
      People and workers create them; each stays here until it is deleted.
    </EmptyNotice>
  );

  return (
    <>
      <PageHeader
        title="Tasks"
        numbers={numbersOf(rows)}
        action={
          <Button
            leftSection={<IconPlus size={16} />}
            renderRoot={(props) => <Link to="/tasks/new" aria-keyshortcuts="c" {...props} />}
          >
            New task
          </Button>
        }
      />
      <QuickViews filters={filters} />
      <TaskFilterBar value={filters} onChange={filter} sorts={["-created_at", "created_at", "-updated_at"]} />
      <div className={classes.halves}>
        <section className={classes.tasks} aria-label="Tasks found">
          <QueryView query={rows.query} name="the tasks" skeleton={<ScreenSkeleton hasTitle />}>
            {() =>
              rows.live.total === 0 ? (
                nothing
              ) : (
                <TaskList
                  key={rows.identity}
                  rows={rows}
                  openId={open}
                  onPreview={preview}
                  at={at}
                  onRest={(next) =>
                    navigate({
                      to: "/tasks",
                      search: search(open, next),
                      replace: true,
                      resetScroll: false,
                      state: true,
                    })
                  }
                  onOpen={(id) => void navigate({ to: "/tasks/$id", params: { id } })}
                />
              )
            }
          </QueryView>
        </section>
        {open !== undefined && (
          <div className={classes.preview}>
            <LazyTaskPreview id={open} onClose={() => preview(undefined)} />
          </div>
        )}
      </div>
    </>
  );
};

export default AllTasksPage;
