// All tasks on screen, as far as filters let them through: moved through, selected and changed without anything moving.
import { type MouseEvent, useCallback, useEffect, useEffectEvent, useMemo, useRef } from "react";
import type { ListRows } from "../../components/live-list/filtered-rows.ts";
import { goneTasks } from "../../components/live-list/held-rows.ts";
import { ListNews } from "../../components/live-list/list-news.tsx";
import { LiveRows } from "../../components/live-list/live-rows.tsx";
import { useLiveList } from "../../components/live-list/use-live-list.ts";
import { useRowSelection } from "../../components/row-selection.ts";
import { TaskBulkBar } from "../../components/task-actions/task-bulk-bar.tsx";
import { useLeftTasks } from "../../data/queue-data.ts";
import { leftWord, newsWords } from "../../lib/left-words.ts";
import classes from "./all-tasks-page.module.css";
import { TaskListRow } from "./task-list-row.tsx";

interface TaskListProps {
  rows: ListRows;
  /** The task whose preview is open. */
  openId: string | undefined;
  /** Opens the preview of another one, or closes it; false where there is no room for one. */
  onPreview: (id: string | undefined) => boolean;
  onOpen: (id: string) => void;
}

export const TaskList = ({ rows: { live, isReading, look }, openId, onPreview, onOpen }: TaskListProps) => {
  const area = useRef<HTMLDivElement>(null);
  const list = useLiveList({ live, isReading, area });
  const { shown } = list;
  const { first, last } = list.drawn;
  useEffect(() => look({ first, last }), [first, last, look]);

  const { current, setCurrent, selected, select, toggle, clear } = useRowSelection({
    rows: list.rows,
    onMove: (index, id) => {
      list.scrollTo(index);
      if (openId !== undefined && id !== undefined) onPreview(id);
    },
    onOpen,
    ...(openId !== undefined && { onClose: () => onPreview(undefined) }),
  });
  const choose = useEffectEvent(toggle);
  const onSelect = useCallback((id: string, isRange: boolean) => choose(id, isRange), []);
  const open = useEffectEvent((id: string, event: MouseEvent) => {
    setCurrent(id);
    // By keyboard a link is followed; with a modifier the browser has its own way.
    const isPlain = event.detail > 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (isPlain && onPreview(id)) event.preventDefault();
  });
  const onTitle = useCallback((id: string, event: MouseEvent) => open(id, event), []);

  const known = useMemo(() => [...live.rows.values()], [live]);
  const leftIds = useMemo(() => goneTasks(shown).map(({ id }) => id), [shown]);
  const left = useLeftTasks(leftIds);
  const words = newsWords(
    list.newCount,
    [...list.goneIds].map((id) => [id, left.get(id)] as const),
  );

  return (
    <div ref={area} className={classes.list}>
      <div className={classes.news}>
        <ListNews words={words} onShow={() => !list.release() && list.scrollTo(0)} />
      </div>
      <LiveRows list={list} label="Tasks" current={current}>
        {({ task, index }) => (
          <TaskListRow
            task={task}
            left={index === null ? leftWord(task, left.get(task.id)) : null}
            isCurrent={task.id === current}
            hasKeys={task.id === current && selected.size === 0}
            isSelected={selected.has(task.id)}
            isOpen={task.id === openId}
            onSelect={onSelect}
            onOpen={onTitle}
          />
        )}
      </LiveRows>
      <TaskBulkBar
        tasks={known.filter(({ id }) => selected.has(id))}
        shownCount={known.length}
        onSelectAll={() => select(known.map(({ id }) => id))}
        onClear={clear}
        onKeep={select}
      />
    </div>
  );
};
