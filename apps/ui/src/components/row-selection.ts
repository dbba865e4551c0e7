// Moving through a list and choosing of it by keys and clicks: which row is current, which rows are selected.
import { useEffect, useState } from "react";
import { useKeyBindings } from "../lib/key-bindings.ts";

/** The rows of a list, in order. A long list may not know all of them. */
export interface RowSource {
  count: number;
  /** Undefined where the row has not been read. */
  idAt: (index: number) => string | undefined;
  /** -1 where it is not in the list. */
  indexOf: (id: string) => number;
}

export interface RowSelectionOptions {
  rows: RowSource;
  /** Brings the row at an index into view; its id is undefined where it has not been read. */
  onMove?: (index: number, id: string | undefined) => void;
  /** Enter, where it does not already open a link. */
  onOpen?: (id: string) => void;
  /** Escape, once nothing is selected. */
  onClose?: () => void;
}

export interface RowSelection {
  /** The row that the keys act on: it takes the focus. */
  current: string | null;
  setCurrent: (id: string | null) => void;
  selected: ReadonlySet<string>;
  /** Selects or deselects a row; with `isRange` all rows from the one before on become as this one. */
  toggle: (id: string, isRange?: boolean) => void;
  /** These and no others. */
  select: (ids: Iterable<string>) => void;
  clear: () => void;
}

interface Place {
  index: number;
  /** Undefined for a row that had not been read when it was reached. */
  id: string | undefined;
}

/**
 * Keys: `j`, `k` and the arrows move, Home and End jump, `x` selects, Shift x selects up to here, Enter opens, Escape
 * lets go. The current row keeps its place when rows come and go.
 */
export const useRowSelection = ({ rows, onMove, onOpen, onClose }: RowSelectionOptions): RowSelection => {
  const [place, setPlace] = useState<Place | null>(null);
  const [anchor, setAnchor] = useState<string | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const current = (place && (place.id ?? rows.idAt(place.index))) ?? null;
  // Once it has been read it is that row, wherever that goes.
  useEffect(() => {
    if (place && place.id === undefined && current !== null) setPlace({ ...place, id: current });
  }, [place, current]);

  const moveTo = (wanted: number) => {
    if (rows.count === 0) return;
    const index = Math.min(Math.max(wanted, 0), rows.count - 1);
    const id = rows.idAt(index);
    setPlace({ index, id });
    onMove?.(index, id);
  };

  const moveBy = (step: 1 | -1) => {
    if (!place) return moveTo(step > 0 ? 0 : rows.count - 1);
    if (current === null) return moveTo(place.index + step);
    const found = rows.indexOf(current);
    // A row that left the list hands on to the one that took its place.
    moveTo((found >= 0 ? found : place.index - (step > 0 ? 1 : 0)) + step);
  };

  const rangeTo = (id: string): string[] => {
    const from = anchor === null ? -1 : rows.indexOf(anchor);
    const to = rows.indexOf(id);
    if (from < 0 || to < 0) return [id];
    const first = Math.min(from, to);
    return Array.from({ length: Math.abs(from - to) + 1 }, (_, step) => rows.idAt(first + step) ?? []).flat();
  };

  const toggle = (id: string, isRange = false) => {
    // A range follows the row it began at.
    const isOn = isRange && anchor !== null ? selected.has(anchor) : !selected.has(id);
    const next = new Set(selected);
    for (const one of isRange ? rangeTo(id) : [id]) {
      if (isOn) next.add(one);
      else next.delete(one);
    }
    setSelected(next);
    setAnchor(id);
  };

  const clear = () => {
    setSelected(new Set());
    setAnchor(null);
  };

  useKeyBindings({
    j: () => moveBy(1),
    k: () => moveBy(-1),
    ArrowDown: () => moveBy(1),
    ArrowUp: () => moveBy(-1),
    Home: () => moveTo(0),
    End: () => moveTo(rows.count - 1),
    ...(current !== null && {
      x: () => toggle(current),
      X: () => toggle(current, true),
      ...(onOpen && { Enter: () => onOpen(current) }),
    }),
    ...(selected.size > 0 ? { Escape: clear } : onClose && { Escape: onClose }),
  });

  return {
    current,
    setCurrent: (id) => setPlace(id === null ? null : { id, index: rows.indexOf(id) }),
    selected,
    toggle,
    select: (ids) => setSelected(new Set(ids)),
    clear,
  };
};
