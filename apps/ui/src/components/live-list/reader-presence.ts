// Whether somebody is busy with a list, so that nothing in it may move: the pointer is over it, or it was used a moment ago.
import { type RefObject, useEffect, useState } from "react";

/** So long after the last key or turn of the wheel a list still counts as being used. */
export const calmAfterMs = 3_000;

/** A menu or dialog that was opened from a row stands for the row. */
const isOverlaid = (): boolean => document.querySelector("[role='menu'], [role='dialog'], [role='listbox']") !== null;

export const useReaderPresence = (list: RefObject<HTMLElement | null>): boolean => {
  const [isOver, setIsOver] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const listening = new AbortController();
    const { signal } = listening;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => {
      if (isOverlaid()) timer = setTimeout(rest, calmAfterMs);
      else setIsBusy(false);
    };
    const touch = () => {
      setIsBusy(true);
      clearTimeout(timer);
      timer = setTimeout(rest, calmAfterMs);
    };
    const isForList = ({ target }: Event) =>
      target === document.body || (target instanceof Node && element.contains(target));
    // A finger is over a list only while it scrolls it.
    const enter = ({ pointerType }: PointerEvent) => pointerType !== "touch" && setIsOver(true);
    element.addEventListener("pointerenter", enter, { signal });
    element.addEventListener("pointermove", enter, { signal });
    element.addEventListener("pointerleave", () => setIsOver(false), { signal });
    element.addEventListener("wheel", touch, { passive: true, signal });
    element.addEventListener("touchmove", touch, { passive: true, signal });
    element.addEventListener("pointerdown", touch, { signal });
    document.addEventListener("keydown", (event) => isForList(event) && touch(), { signal });
    return () => {
      listening.abort();
      clearTimeout(timer);
    };
  }, [list]);
  return isOver || isBusy;
};
