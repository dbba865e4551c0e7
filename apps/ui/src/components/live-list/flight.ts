// Whether a list is scrolled so quickly that nobody can read it: then its rows need not be drawn, only that there are some.
import { useEffect, useRef, useState } from "react";

/** Nobody reads what passes through the whole window in less. */
const passMs = 50;
/** So long after the last quick movement the reader has arrived. */
export const landedMs = 150;

export const useFlight = (): boolean => {
  const [isFlying, setIsFlying] = useState(false);
  const before = useRef({ px: 0, at: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const now = { px: window.scrollY, at: performance.now() };
      const passedMs = now.at - before.current.at;
      const passedPx = Math.abs(now.px - before.current.px);
      before.current = now;
      // The first movement after a rest may be a jump, whose end is to be seen at once.
      if (passedMs >= landedMs || passedPx * passMs <= window.innerHeight * passedMs) return;
      setIsFlying(true);
      clearTimeout(timer);
      timer = setTimeout(() => setIsFlying(false), landedMs);
    };
    window.addEventListener("scroll", look, { passive: true });
    return () => {
      window.removeEventListener("scroll", look);
      clearTimeout(timer);
    };
  }, []);
  return isFlying;
};
