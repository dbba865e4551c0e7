// Single keys and two-key sequences ("g q") as shortcuts that never fire while somebody is typing.
import { useEffect, useEffectEvent } from "react";

/** What each key or sequence does; names are `KeyboardEvent.key` values, a sequence is two with a space between. */
export type KeyBindings = Readonly<Record<string, () => void>>;

const sequenceMs = 1_000;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, textarea, select, [role='textbox'], [role='combobox']"));

/** A dialog or an open list keeps the keys for itself. */
const isOverlaid = (): boolean => document.querySelector("[role='dialog'], [role='menu'], [role='listbox']") !== null;

/** Enter on a button or a link already means something. */
const isActivation = (event: KeyboardEvent): boolean =>
  event.key === "Enter" && event.target instanceof HTMLElement && event.target.matches("a, button, summary");

export const useKeyBindings = (bindings: KeyBindings): void => {
  const run = useEffectEvent((keys: string): boolean => {
    const action = bindings[keys];
    action?.();
    return action !== undefined;
  });
  useEffect(() => {
    let first = { key: "", at: 0 };
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (isTyping(event.target) || isOverlaid() || isActivation(event)) return;
      const isSequence = event.timeStamp - first.at < sequenceMs;
      const isHandled = (isSequence && run(`${first.key} ${event.key}`)) || run(event.key);
      first = { key: event.key, at: event.timeStamp };
      if (isHandled) event.preventDefault();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
};
