// An answer being written: kept in this browser for each dispatch, until the task is finished or given back.
import { useRef, useState } from "react";

const prefix = "answer/";
/** What nobody came back for is forgotten after so long. */
const keptMs = 30 * 86_400_000;

interface KeptAnswer {
  text: string;
  /** The result as it was when the answer was begun. */
  replaces: string | null;
  at: number;
}

const read = (key: string): KeptAnswer | null => {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<KeptAnswer> | null;
    if (typeof kept?.text !== "string") return null;
    return { text: kept.text, replaces: kept.replaces ?? null, at: kept.at ?? 0 };
  } catch {
    return null;
  }
};

const forgetOld = () => {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(prefix) && (read(key)?.at ?? 0) < Date.now() - keptMs) localStorage.removeItem(key);
};

const keep = (key: string, text: string, replaces: string | null) => {
  try {
    localStorage.setItem(key, JSON.stringify({ text, replaces, at: Date.now() } satisfies KeptAnswer));
  } catch {
    // A full store keeps no draft; the text stays on the page.
  }
};

export interface AnswerDraft {
  text: string;
  /** Also while something is under way that began with another text. */
  textNow: () => string;
  write: (text: string) => void;
  /** The result that the answer takes the place of. */
  replaces: string | null;
  isUnsaved: boolean;
  /** `result` is what the task has now: the text is compared to it, and goes in its place from now on. */
  settle: (result: string | null) => void;
  forget: () => void;
}

/** Begins with what was kept for this dispatch, else with the task's `result`. */
export const useAnswerDraft = (dispatch: string, result: string | null): AnswerDraft => {
  const key = `${prefix}${dispatch}`;
  const [answer, setAnswer] = useState(() => {
    forgetOld();
    const kept = read(key);
    return kept ? { text: kept.text, replaces: kept.replaces } : { text: result ?? "", replaces: result };
  });
  const latest = useRef(answer);
  const change = (part: Partial<typeof answer>) => {
    latest.current = { ...latest.current, ...part };
    setAnswer(latest.current);
    keep(key, latest.current.text, latest.current.replaces);
  };
  return {
    ...answer,
    textNow: () => latest.current.text,
    isUnsaved: answer.text !== (answer.replaces ?? ""),
    write: (text) => change({ text }),
    settle: (saved) => change({ replaces: saved }),
    forget: () => localStorage.removeItem(key),
  };
};
