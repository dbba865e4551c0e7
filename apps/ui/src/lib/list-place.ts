// Where a person is in a list, as the page's address says it: the row it begins with on screen, and the preview beside it.
import { isId } from "./ids.ts";

export interface ListPlace {
  /** The task whose preview is open. */
  open?: string;
  /** The number of the first row on screen; never 1, which needs no saying. */
  at?: number;
}

/** What is damaged is left out. */
export const placeFromSearch = (search: Readonly<Record<string, unknown>>): ListPlace => {
  const { open } = search;
  const at = Number(search["at"]);
  return {
    ...(isId(open) && { open }),
    ...(Number.isSafeInteger(at) && at > 1 && { at }),
  };
};
