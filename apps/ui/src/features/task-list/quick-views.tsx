// The ways in which people look at all tasks most, a link each.
import { Link } from "@tanstack/react-router";
import { searchFromFilters, type TaskFilterValues } from "../../lib/task-filters.ts";
import classes from "./all-tasks-page.module.css";

const views: readonly { name: string; filters: TaskFilterValues }[] = [
  { name: "All", filters: {} },
  { name: "Queued", filters: { state: "queued", assignee_type: "agent" } },
  { name: "Running", filters: { state: "running" } },
  { name: "Needs attention", filters: { needs_attention: true } },
  { name: "Mine", filters: { created_by: "me" } },
  { name: "Of people", filters: { assignee_type: "user" } },
];

const isSame = (a: TaskFilterValues, b: TaskFilterValues): boolean =>
  JSON.stringify(searchFromFilters(a)) === JSON.stringify(searchFromFilters(b));

/** An order stays when the view changes. */
export const QuickViews = ({ filters }: { filters: TaskFilterValues }) => {
  const { sort, ...rest } = filters;
  return (
    <nav aria-label="Views" className={classes.views}>
      {views.map((view) => (
        <Link
          key={view.name}
          to="/tasks"
          search={searchFromFilters({ ...view.filters, ...(sort && { sort }) })}
          className={classes.view ?? ""}
          // Else the router calls every view current whose filters are among those chosen.
          activeOptions={{ exact: true }}
          aria-current={isSame(view.filters, rest) ? "page" : undefined}
        >
          {view.name}
        </Link>
      ))}
    </nav>
  );
};
