// Gives the focus back to where it was before something took it that goes away altogether, as a dialog does when it closes.
import { useEffect, useState } from "react";

/** Called by what takes the focus, from its first moment on. Whoever has moved the focus elsewhere meanwhile keeps it. */
export const useReturnedFocus = (): void => {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Only once what had the focus is gone is it seen whether somebody else has it.
      setTimeout(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return;
        if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      });
    },
    [before],
  );
};
