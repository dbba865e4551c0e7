// Single keys and two-key sequences ("g q") as shortcuts that never fire while somebody is typing.
import { useEffect, useEffectEvent } from "react";

/** What each key or sequence does; names are `KeyboardEvent.key` values, a sequence is two with a space between. */
export type KeyBindings = Readonly<Record<string, () => void>>;

const sequenceMs = 1_000;

/** Keys that move on for as long as they are held. */
const heldKeys: ReadonlySet<string> = new Set(["j", "k", "ArrowDown", "ArrowUp"]);

/** A check box takes no text; every other field may. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("input:not([type='checkbox']), textarea, select, [role='textbox'], [role='combobox']"));

/** A dialog or an open list keeps the keys for itself; closed lists are often kept in the page, not displayed. */
const isOverlaid = (): boolean =>
  [...document.querySelectorAll("[role='dialog'], [role='menu'], [role='listbox']")].some(
    (overlay) => overlay.closest("[style*='display: none'], [hidden]") === null,
  );

/** Seen before anybody else hears the key: Escape may have closed the dialog when its turn comes here. */
let wasOverlaid = false;
window.addEventListener(
  "keydown",
  () => {
    wasOverlaid = isOverlaid();
  },
  { capture: true },
);

/** Enter on a button or a link already means something. */
const isActivation = (event: KeyboardEvent): boolean =>
  event.key === "Enter" && event.target instanceof HTMLElement && event.target.matches("a, button, summary");

/** An arrow in a part that scrolls by itself scrolls it. */
const isScrolling = (event: KeyboardEvent): boolean =>
  /^(Arrow|Home$|End$|Page)/.test(event.key) &&
  event.target instanceof HTMLElement &&
  event.target.closest("[role='region'][tabindex='0']") !== null;

const isOurs = (event: KeyboardEvent): boolean => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.repeat && !heldKeys.has(event.key)) return false;
  return !(isTyping(event.target) || wasOverlaid || isActivation(event) || isScrolling(event));
};

/** Keys that begin a sequence: what follows means nothing by itself. */
const firstKeys: ReadonlySet<string> = new Set(["g"]);

interface KeyBindingOptions {
  /** Keys of the frame: a screen that has a use for one of them is asked first. */
  isFallback?: boolean;
}

export const useKeyBindings = (bindings: KeyBindings, { isFallback = false }: KeyBindingOptions = {}): void => {
  const run = useEffectEvent((keys: string): boolean => {
    const action = bindings[keys];
    action?.();
    return action !== undefined;
  });
  useEffect(() => {
    let first = { key: "", at: 0 };
    const listen = (event: KeyboardEvent) => {
      if (!isOurs(event)) return;
      const isSequence = firstKeys.has(first.key) && event.timeStamp - first.at < sequenceMs;
      const isHandled = run(isSequence ? `${first.key} ${event.key}` : event.key);
      first = isSequence ? { key: "", at: 0 } : { key: event.key, at: event.timeStamp };
      if (isHandled) event.preventDefault();
    };
    // An event reaches the document before the window.
    const target: Pick<Window, "addEventListener" | "removeEventListener"> = isFallback ? window : document;
    target.addEventListener("keydown", listen);
    return () => target.removeEventListener("keydown", listen);
  }, [isFallback]);
};
