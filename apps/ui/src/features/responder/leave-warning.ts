// Has the browser ask before the page closes over something that was not sent.
import { useEffect } from "react";

export const useLeaveWarning = (isUnsaved: boolean): void => {
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
};
