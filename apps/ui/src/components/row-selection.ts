// Moving through a list with j and k: which row is selected, also when rows come and go.
import { useState } from "react";
import { useKeyBindings } from "../lib/key-bindings.ts";

interface Selection {
  id: string;
  index: number;
}

/** `onMove` brings the row at an index into view. The selected row is the one that takes the focus. */
export const useRowSelection = (ids: readonly string[], onMove?: (index: number) => void): string | null => {
  const [selection, setSelection] = useState<Selection | null>(null);

  const move = (step: 1 | -1) => {
    const found = selection ? ids.indexOf(selection.id) : -1;
    // A row that left the list hands on to the one that took its place.
    const from = found >= 0 ? found : selection ? selection.index - (step > 0 ? 1 : 0) : -1;
    const index = Math.min(Math.max(from + step, 0), ids.length - 1);
    const id = ids[index];
    if (id === undefined) return;
    setSelection({ id, index });
    onMove?.(index);
  };
  useKeyBindings({ j: () => move(1), k: () => move(-1) });
  return selection?.id ?? null;
};
