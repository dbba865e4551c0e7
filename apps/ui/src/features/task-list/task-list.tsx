// All tasks on screen, as far as filters let them through: moved through, selected and changed without anything moving.
import { ListNews } from "../../components/live-list/list-news.tsx";
import { LiveRows } from "../../components/live-list/live-rows.tsx";
import { TaskBulkBar } from "../../components/task-actions/task-bulk-bar.tsx";
import { type TaskRowsOptions, useTaskRows } from "../../components/task-rows.ts";
import classes from "./all-tasks-page.module.css";
import { TaskListRow } from "./task-list-row.tsx";

export const TaskList = (options: TaskRowsOptions) => {
  const { area, list, selection, selectedTasks, stateOf, news } = useTaskRows(options);
  const known = [...options.rows.live.rows.values()];
  return (
    <div ref={area} className={classes.list}>
      <div className={classes.news}>
        <ListNews {...news} />
      </div>
      <LiveRows list={list} label="Tasks" current={selection.current}>
        {(row) => <TaskListRow task={row.task} {...stateOf(row)} />}
      </LiveRows>
      <TaskBulkBar
        tasks={selectedTasks}
        shownCount={known.length}
        onSelectAll={() => selection.select(known.map(({ id }) => id))}
        onClear={selection.clear}
        onKeep={selection.select}
      />
    </div>
  );
};
