// The queue on screen: any length, any place in it, and nothing that moves under its reader.

import type { MouseEvent } from "react";
import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from "react";
import type { ListRows } from "../../components/live-list/filtered-rows.ts";
import { goneTasks, rowAt } from "../../components/live-list/held-rows.ts";
import { ListNews } from "../../components/live-list/list-news.tsx";
import bar from "../../components/live-list/live-list.module.css";
import { LiveRows } from "../../components/live-list/live-rows.tsx";
import { useLiveList } from "../../components/live-list/use-live-list.ts";
import { useRowSelection } from "../../components/row-selection.ts";
import { useLeftTasks } from "../../data/queue-data.ts";
import { leftWord, newsWords } from "../../lib/left-words.ts";
import { countWord } from "../../lib/task-words.ts";
import { BandHeading } from "./band-heading.tsx";
import classes from "./queue-list.module.css";
import { QueueRow } from "./queue-row.tsx";

interface QueueListProps {
  rows: ListRows;
  /** It is the whole queue, whose rows have positions. */
  isWhole: boolean;
  /** The task whose preview is open. */
  openId: string | undefined;
  /** Opens the preview of another one, or closes it; false where there is no room for one. */
  onPreview: (id: string | undefined) => boolean;
  onOpen: (id: string) => void;
}

export const QueueList = ({
  rows: { live, total, isReading, look },
  isWhole,
  openId,
  onPreview,
  onOpen,
}: QueueListProps) => {
  const area = useRef<HTMLDivElement>(null);
  const list = useLiveList({ live, isReading, area });
  const { shown, drawn, view } = list;
  const seeing = useEffectEvent(() => ({
    first: rowAt(shown, drawn.first).index,
    last: rowAt(shown, drawn.last).index,
  }));
  useEffect(() => {
    const { first, last } = seeing();
    look({ first: first ?? drawn.first, last: last ?? drawn.last });
  }, [drawn.first, drawn.last, look]);

  const { current, selected, toggle, setCurrent } = useRowSelection({
    rows: list.rows,
    onMove: (index, id) => {
      list.scrollTo(index);
      if (openId !== undefined && id !== undefined) onPreview(id);
    },
    onOpen,
    onClose: () => onPreview(undefined),
  });
  const select = useEffectEvent(toggle);
  const onSelect = useCallback((id: string, isRange: boolean) => select(id, isRange), []);
  const open = useEffectEvent((id: string, event: MouseEvent) => {
    setCurrent(id);
    // By keyboard a link is followed; with a modifier the browser has its own way.
    const isPlain = event.detail > 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (isPlain && onPreview(id)) event.preventDefault();
  });
  const onTitle = useCallback((id: string, event: MouseEvent) => open(id, event), []);

  const leftIds = useMemo(() => [...new Set([...goneTasks(shown).map(({ id }) => id)])], [shown]);
  const left = useLeftTasks(leftIds);
  const lookAtFirst = useCallback(() => rowAt(shown, view().first).task?.priority, [shown, view]);
  const words = newsWords(
    list.newCount,
    [...list.goneIds].map((id) => [id, left.get(id)] as const),
  );

  return (
    <div ref={area}>
      <div className={bar.bar}>
        {isWhole && <BandHeading look={lookAtFirst} />}
        <ListNews
          words={words}
          onShow={() => {
            // What is not in view is at the top.
            if (!list.release()) list.scrollTo(0);
          }}
        />
      </div>
      <LiveRows list={list} label={isWhole ? "Queue" : "Tasks found"} current={current}>
        {({ task, index }) => (
          <QueueRow
            task={task}
            position={isWhole ? (index === null ? null : index + 1) : undefined}
            left={index === null ? leftWord(task, left.get(task.id)) : null}
            isCurrent={task.id === current}
            isSelected={selected.has(task.id)}
            isOpen={task.id === openId}
            onSelect={onSelect}
            onOpen={onTitle}
          />
        )}
      </LiveRows>
      {total !== undefined && total > live.total && isWhole && (
        <p className={classes.end}>The queue goes on: {countWord(total - live.total)} more. Filter it to see them.</p>
      )}
    </div>
  );
};
