// A text that is being written, as a component holds it: opened once, kept with every change.
import { useEffect, useRef, useState } from "react";
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

export interface KeptText {
  text: string;
  write: (text: string) => void;
  /** `sent` has arrived: the field is empty again, unless something else was written meanwhile. Answers whether it is. */
  clear: (sent: string) => boolean;
}

/** A text with a draft of its own: kept from its first letter until it is emptied. */
export const useKeptText = (name: string): KeptText => {
  const draft = useKeptDraft(name);
  const [text, setText] = useState("");
  const latest = useRef("");

  useEffect(() => {
    if (!draft) {
      latest.current = "";
      return setText("");
    }
    // What was typed before the draft was open goes below what was kept.
    const typed = latest.current;
    latest.current = [draft.kept, typed].filter(Boolean).join("\n\n");
    setText(latest.current);
    if (typed) draft.keep(latest.current);
  }, [draft]);

  const write = (next: string) => {
    latest.current = next;
    setText(next);
    if (next) draft?.keep(next);
    else draft?.forget();
  };
  const clear = (sent: string) => {
    if (latest.current !== sent) return false;
    write("");
    return true;
  };
  return { text, write, clear };
};
