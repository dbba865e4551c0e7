// Draws the rows in view of a long list, each in its place, as a list that a screen reader can count.
import type { ReactNode } from "react";
import { rowAt, type ShownRow } from "./held-rows.ts";
import classes from "./live-list.module.css";
import type { LiveList } from "./use-live-list.ts";

interface LiveRowsProps {
  list: LiveList;
  label: string;
  /** The row that the keys act on is there wherever the list was scrolled to, to keep the focus. */
  current: string | null;
  /** A row that has been read. */
  children: (row: ShownRow & { task: NonNullable<ShownRow["task"]> }) => ReactNode;
}

const drawnIndexes = (list: LiveList, current: string | null): number[] => {
  const { isFlying, rows } = list;
  const { first, last } = list.drawn;
  const indexes = isFlying ? [] : Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step);
  const kept = current === null ? -1 : rows.indexOf(current);
  if (kept >= 0 && kept < first) return [kept, ...indexes];
  return kept > last ? [...indexes, kept] : indexes;
};

export const LiveRows = ({ list, label, current, children }: LiveRowsProps) => {
  const {
    shown,
    count,
    rowPx,
    drawn: { first, last },
    isFlying,
    list: element,
  } = list;
  const drawn = new Set<string>();
  return (
    <ol ref={element} className={classes.list} aria-label={label} style={{ height: count * rowPx }}>
      {isFlying && (
        <li
          aria-hidden
          className={classes.passing}
          style={{
            height: (last - first + 1) * rowPx,
            backgroundSize: `100% ${rowPx}px, 40% ${rowPx}px`,
            transform: `translateY(${first * rowPx}px)`,
          }}
        />
      )}
      {drawnIndexes(list, current).map((index) => {
        const { task, index: trueIndex } = rowAt(shown, index);
        // Two stretches that were not read at the same moment may both hold a row.
        const isRepeated = task !== undefined && drawn.has(task.id);
        if (task) drawn.add(task.id);
        return (
          <li
            key={task && !isRepeated ? task.id : index}
            className={classes.line}
            style={{ height: rowPx, transform: `translateY(${index * rowPx}px)` }}
            aria-posinset={index + 1}
            aria-setsize={count}
            aria-busy={task === undefined}
          >
            {task ? children({ task, index: trueIndex }) : <span className={classes.unread} />}
          </li>
        );
      })}
    </ol>
  );
};
