// Gives what is sent a key that stays while the content does, so that sending it again creates nothing twice (D-17).
import { useState } from "react";

interface SendOnce {
  /** Another content gets another key. */
  keyOf: (content: string) => string;
  /** It was sent: the same content means another thing from now on. */
  forget: () => void;
}

const createSendOnce = (): SendOnce => {
  let last: { content: string; key: string } | null = null;
  return {
    keyOf: (content) => {
      if (last?.content !== content) last = { content, key: crypto.randomUUID() };
      return last.key;
    },
    forget: () => {
      last = null;
    },
  };
};

export const useSendOnce = (): SendOnce => useState(createSendOnce)[0];
