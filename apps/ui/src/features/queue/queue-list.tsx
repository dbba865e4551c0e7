// The queue on screen: only the rows in view exist, more are read as the reader nears the end.

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import type { TaskSummary } from "@task-service/contract";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { PresetIcon } from "../../components/priority-mark.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { rowSource, useRowSelection } from "../../components/row-selection.ts";
import { TaskRow } from "../../components/task-row.tsx";
import classes from "./queue-list.module.css";
import { queueLines } from "./queue-rows.ts";

interface QueueListProps {
  tasks: readonly TaskSummary[];
  hasMore: boolean;
  isLoadingMore: boolean;
  onLoadMore: () => void;
}

const bandPx = 40;
const rowPx = 44;
const overscan = 12;

export const QueueList = ({ tasks, hasMore, isLoadingMore, onLoadMore }: QueueListProps) => {
  const list = useRef<HTMLOListElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => setScrollMargin(list.current?.offsetTop ?? 0), []);

  const lines = useMemo(() => queueLines(tasks, hasMore), [tasks, hasMore]);
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]?.kind === "band" ? bandPx : rowPx),
    getItemKey: (index) => {
      const line = lines[index];
      return line?.kind === "task" ? line.task.id : (line?.name ?? index);
    },
    overscan,
    scrollMargin,
  });
  const rowIds = useMemo(() => rowSource(tasks.map(({ id }) => id)), [tasks]);
  const { current: selected } = useRowSelection({
    rows: rowIds,
    onMove: (index) =>
      virtualizer.scrollToIndex(lines.findIndex((line) => line.kind === "task" && line.position === index + 1)),
  });

  const rows = virtualizer.getVirtualItems();
  const isNearEnd = (rows.at(-1)?.index ?? 0) >= lines.length - overscan;
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoadingMore) onLoadMore();
  }, [isNearEnd, hasMore, isLoadingMore, onLoadMore]);

  return (
    <ol ref={list} className={classes.list} aria-label="Queue" style={{ height: virtualizer.getTotalSize() }}>
      {rows.map(({ index, key, start }) => {
        const line = lines[index];
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={classes.line}
            style={{ transform: `translateY(${start - scrollMargin}px)` }}
          >
            {line?.kind === "band" && (
              <h2 className={classes.band}>
                <PresetIcon name={line.name} />
                {line.name}
                <span className={classes.count}>
                  {line.count}
                  {line.hasMore && "+"}
                </span>
              </h2>
            )}
            {line?.kind === "task" && (
              <TaskRow task={line.task} lead={line.position} isSelected={line.task.id === selected}>
                <RelativeTime at={line.task.queued_at} isAge />
              </TaskRow>
            )}
          </li>
        );
      })}
    </ol>
  );
};
