// The preview beside a list: the address says whose is open, a wide window has room for one, and Back closes it.
import { useRouter } from "@tanstack/react-router";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The entry before this one is the same list without a preview. */
    isListBehind?: boolean;
  }
}

/** How the address is changed. */
export interface PreviewStep {
  replace: boolean;
  resetScroll: false;
  state: { isListBehind: boolean };
}

/** As in the styles of both lists. */
const previewFits = (): boolean => window.matchMedia("(min-width: 1100px)").matches;

/**
 * Opens the preview of a task, or closes it; false where there is no room for one. `go` puts the task, or none, into the
 * address. The way back leads past previews that were only passed by, and never to the same view again.
 */
export const useListPreview = (
  open: string | undefined,
  go: (id: string | undefined, step: PreviewStep) => void,
): ((id: string | undefined) => boolean) => {
  const { history, subscribe } = useRouter();
  /** One back, with the rows where they are now. */
  const goBack = () => {
    const { scrollX, scrollY } = window;
    const stop = subscribe("onRendered", () => {
      stop();
      window.scrollTo(scrollX, scrollY);
    });
    history.back();
  };
  return (id) => {
    if (id === open) return id !== undefined;
    if (id !== undefined && !previewFits()) return false;
    const isListBehind = history.location.state.isListBehind === true;
    if (id === undefined && isListBehind) goBack();
    else
      go(id, {
        replace: open !== undefined,
        resetScroll: false,
        state: { isListBehind: id !== undefined && (open === undefined || isListBehind) },
      });
    return true;
  };
};
