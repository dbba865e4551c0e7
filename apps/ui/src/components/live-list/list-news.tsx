// What happened to a list while it was held: in a pill that shows it, and told to screen readers now and then.
import { Kbd, VisuallyHidden } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { useKeyBindings } from "../../lib/key-bindings.ts";
import classes from "./live-list.module.css";

/** Nobody is told more often. */
export const announceMs = 8_000;

interface ListNewsProps {
  /** "3 new, 5 dispatched"; empty when nothing is held. */
  words: string;
  onShow: () => void;
}

export const ListNews = ({ words, onShow }: ListNewsProps) => {
  const [said, setSaid] = useState("");
  const [saidAt, setSaidAt] = useState(Number.NEGATIVE_INFINITY);
  const say = useEffectEvent(() => {
    setSaid(words);
    setSaidAt(performance.now());
  });
  useEffect(() => {
    if (words === said) return;
    const timer = setTimeout(say, words === "" ? 0 : Math.max(0, saidAt + announceMs - performance.now()));
    return () => clearTimeout(timer);
  }, [words, said, saidAt]);
  useKeyBindings(words === "" ? {} : { u: onShow });
  return (
    <>
      <VisuallyHidden role="status">{said && `${said}. Press u to show.`}</VisuallyHidden>
      {words !== "" && (
        <button type="button" className={classes.news} onClick={onShow} aria-keyshortcuts="u">
          {words}
          <span className={classes.show}>Show</span>
          <Kbd size="xs" aria-hidden>
            u
          </Kbd>
        </button>
      )}
    </>
  );
};
