// A text that is being written, as a component holds it: opened once, kept with every change.
import { useEffect, useState } from "react";
import { type KeptDraft, openDraft } from "../lib/kept-drafts.ts";

/** Null until it is known what was kept, which takes a moment. A change of `name` opens another. */
export const useKeptDraft = (name: string): KeptDraft | null => {
  const [draft, setDraft] = useState<KeptDraft | null>(null);
  useEffect(() => {
    let held: KeptDraft | null = null;
    let isOver = false;
    void openDraft(name).then((opened) => {
      held = opened;
      if (isOver) return opened.release();
      setDraft(opened);
    });
    return () => {
      isOver = true;
      held?.release();
      setDraft(null);
    };
  }, [name]);
  return draft;
};
