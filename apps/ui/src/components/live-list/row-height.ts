// How high the rows of a list are: by the room there is and by how close things stand; and what was in view stays there.
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { type Density, useDensity } from "../../lib/density.ts";

/** As in task-row.module.css: a row has one line, or two where the list is narrow. */
const rowHeights: Record<Density, { wide: number; narrow: number }> = {
  comfortable: { wide: 44, narrow: 64 },
  compact: { wide: 36, narrow: 56 },
};
const narrowPx = 720;

interface RowHeight {
  rowPx: number;
  /** The room there is has been looked at. */
  isMeasured: boolean;
}

/** When the rows become higher or lower, the first one below `coverPx` of the window stays the first. */
export const useRowHeight = (list: RefObject<HTMLElement | null>, coverPx: number): RowHeight => {
  const [isNarrow, setIsNarrow] = useState<boolean>();
  const { wide, narrow } = rowHeights[useDensity()];
  const rowPx = isNarrow ? narrow : wide;
  const above = useRef({ rows: 0, rowPx });

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => setIsNarrow(element.clientWidth > 0 && element.clientWidth < narrowPx);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [list]);

  useLayoutEffect(() => {
    const topPx = () => list.current?.getBoundingClientRect().top ?? 0;
    const { rows, rowPx: before } = above.current;
    // The window may have been moved already by a page that has become shorter.
    if (rows > 0 && before !== rowPx) window.scrollBy(0, topPx() + rows * rowPx - coverPx);
    const note = () => {
      above.current = { rows: (coverPx - topPx()) / rowPx, rowPx };
    };
    window.addEventListener("scroll", note, { passive: true });
    return () => window.removeEventListener("scroll", note);
  }, [list, rowPx, coverPx]);

  return { rowPx, isMeasured: isNarrow !== undefined };
};
