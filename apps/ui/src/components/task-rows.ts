// What every list of tasks on screen does alike: rows are moved through, selected, opened and kept in place; what left says why.

import type { TaskSummary } from "@task-service/contract";
import { type MouseEvent, type RefObject, useCallback, useEffect, useEffectEvent, useMemo, useRef } from "react";
import { useLeftTasks } from "../data/left-task-data.ts";
import { leftWord, newsWords } from "../lib/left-words.ts";
import type { ListRows } from "./live-list/filtered-rows.ts";
import { goneTasks, rowAt, type ShownRow, type View } from "./live-list/held-rows.ts";
import { useListPlace } from "./live-list/list-place.ts";
import { type LiveList, useLiveList } from "./live-list/use-live-list.ts";
import { type RowSelection, useRowSelection } from "./row-selection.ts";

/** Of so many that left, the latest, it is asked what became of them. */
const maxTold = 50;

export interface TaskRowsOptions {
  rows: ListRows;
  /** The task whose preview is open. */
  openId: string | undefined;
  /** Opens the preview of another one, or closes it; false where there is no room for one. */
  onPreview: (id: string | undefined) => boolean;
  onOpen: (id: string) => void;
  /** As in `useListPlace`. */
  at: number | undefined;
  onRest: (at: number | undefined) => void;
}

/** What a row is drawn from, besides its task: stable as long as nothing of it changes. */
export interface TaskRowState {
  /** What became of it; null while it is in the list. */
  left: string | null;
  isCurrent: boolean;
  /** The keys of the actions mean this row. */
  hasKeys: boolean;
  isSelected: boolean;
  isOpen: boolean;
  onSelect: (id: string, isRange: boolean) => void;
  onOpen: (id: string, event: MouseEvent) => void;
}

export interface TaskRows {
  /** Nothing moves while the pointer is over this. */
  area: RefObject<HTMLDivElement | null>;
  list: LiveList;
  selection: RowSelection;
  /** Those of the selected tasks that have been seen. */
  selectedTasks: readonly TaskSummary[];
  stateOf: (row: ShownRow & { task: TaskSummary }) => TaskRowState;
  /** What happened to the list while it was held. */
  news: { words: string; onShow: () => void };
}

export const useTaskRows = ({ rows, openId, onPreview, onOpen, at, onRest }: TaskRowsOptions): TaskRows => {
  const { live, isReading, look } = rows;
  const area = useRef<HTMLDivElement>(null);
  const list = useLiveList({ live, isReading, area });
  useListPlace({ rows, list, at, onRest });
  const { shown } = list;
  const { first, last } = list.drawn;
  const { isFlying } = list;
  const see = useEffectEvent((drawn: View) =>
    look({ first: rowAt(shown, drawn.first).index ?? drawn.first, last: rowAt(shown, drawn.last).index ?? drawn.last }),
  );
  // `look` changes with what is to be read next. What flies past is not read.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see calls it
  useEffect(() => {
    if (!isFlying) see({ first, last });
  }, [first, last, isFlying, look]);

  const selection = useRowSelection({
    rows: list.rows,
    onMove: (index, id) => {
      list.scrollTo(index);
      if (openId !== undefined && id !== undefined) onPreview(id);
    },
    onOpen,
    ...(openId !== undefined && { onClose: () => onPreview(undefined) }),
  });
  const { current, selected, setCurrent, toggle } = selection;

  const choose = useEffectEvent(toggle);
  const onSelect = useCallback((id: string, isRange: boolean) => choose(id, isRange), []);
  const open = useEffectEvent((id: string, event: MouseEvent) => {
    setCurrent(id);
    // By keyboard a link is followed; with a modifier the browser has its own way.
    const isPlain = event.detail > 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (isPlain && onPreview(id)) event.preventDefault();
  });
  const onTitle = useCallback((id: string, event: MouseEvent) => open(id, event), []);

  const read = useMemo(() => new Map([...live.rows.values()].map((task) => [task.id, task] as const)), [live]);
  const leftIds = useMemo(() => {
    const inView = goneTasks(shown).map(({ id }) => id);
    const chosen = [...selected].filter((id) => !read.has(id));
    return [...new Set([...inView, ...[...list.goneIds].slice(-maxTold), ...chosen.slice(-maxTold)])];
  }, [shown, list.goneIds, selected, read]);
  const left = useLeftTasks(leftIds);

  // A selected task stays selected where its row is not read any more. What became of it matters to what is done with it.
  const seen = useRef<ReadonlyMap<string, TaskSummary>>(new Map());
  const selectedTasks = useMemo(() => {
    const found = [...selected].flatMap((id) => read.get(id) ?? left.get(id) ?? seen.current.get(id) ?? []);
    seen.current = new Map(found.map((task) => [task.id, task]));
    return found;
  }, [read, left, selected]);

  return {
    area,
    list,
    selection,
    selectedTasks,
    stateOf: ({ task, index }) => ({
      left: index === null ? leftWord(task, left.get(task.id)) : null,
      isCurrent: task.id === current,
      hasKeys: task.id === current && selected.size === 0,
      isSelected: selected.has(task.id),
      isOpen: task.id === openId,
      onSelect,
      onOpen: onTitle,
    }),
    news: {
      words: newsWords(
        list.newCount,
        [...list.goneIds].map((id) => [id, left.get(id)] as const),
      ),
      // What is not in view is at the top.
      onShow: () => !list.release() && list.scrollTo(0),
    },
  };
};
