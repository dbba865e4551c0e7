// The queue on screen: any length, any place in it, and nothing that moves under its reader.
import { type CSSProperties, useCallback } from "react";
import { rowAt } from "../../components/live-list/held-rows.ts";
import { ListNews } from "../../components/live-list/list-news.tsx";
import bar from "../../components/live-list/live-list.module.css";
import { LiveRows } from "../../components/live-list/live-rows.tsx";
import { TaskBulkBar } from "../../components/task-actions/task-bulk-bar.tsx";
import { type TaskRowsOptions, useTaskRows } from "../../components/task-rows.ts";
import { countWord } from "../../lib/task-words.ts";
import { BandHeading } from "./band-heading.tsx";
import classes from "./queue-list.module.css";
import { QueueRow } from "./queue-row.tsx";

interface QueueListProps extends TaskRowsOptions {
  /** It is the whole queue, whose rows have positions. */
  isWhole: boolean;
}

export const QueueList = ({ isWhole, ...options }: QueueListProps) => {
  const { live, total } = options.rows;
  const { area, list, selection, selectedTasks, stateOf, news } = useTaskRows(options);
  const { shown, view } = list;
  const lookAtFirst = useCallback(() => rowAt(shown, view().first).task?.priority, [shown, view]);
  return (
    <div ref={area} style={{ "--lead-digits": countWord(live.total).length } as CSSProperties}>
      <div className={bar.bar}>
        {isWhole && <BandHeading look={lookAtFirst} />}
        <ListNews {...news} />
      </div>
      <LiveRows list={list} label={isWhole ? "Queue" : "Tasks found"} current={selection.current}>
        {(row) => (
          <QueueRow
            task={row.task}
            position={isWhole ? (row.index === null ? null : row.index + 1) : undefined}
            {...stateOf(row)}
          />
        )}
      </LiveRows>
      {total !== undefined && total > live.total && isWhole && (
        <p className={classes.end}>The queue goes on: {countWord(total - live.total)} more. Filter it to see them.</p>
      )}
      <TaskBulkBar
        tasks={selectedTasks}
        shownCount={live.rows.size}
        onSelectAll={() => selection.select([...live.rows.values()].map(({ id }) => id))}
        onClear={selection.clear}
        onKeep={selection.select}
      />
    </div>
  );
};
