// Gives what is sent a key that stays while the content does, so that sending it again creates nothing twice (D-17).
import { useState } from "react";

/** What was sent, and the key it was sent with. */
export interface Sent {
  content: string;
  key: string;
}

interface SendOnce {
  /** The key to send it with: another content gets another one. */
  keyOf: (content: string) => string;
  /** The key it was sent with last; null if it was not. */
  knownKey: (content: string) => string | null;
  /** It was sent: the same content means another thing from now on. */
  forget: () => void;
}

const createSendOnce = (sent: Sent | null): SendOnce => {
  let last = sent;
  return {
    keyOf: (content) => {
      if (last?.content !== content) last = { content, key: crypto.randomUUID() };
      return last.key;
    },
    knownKey: (content) => (last?.content === content ? last.key : null),
    forget: () => {
      last = null;
    },
  };
};

/** `sent` is what was sent before a reload, and may not have arrived. */
export const useSendOnce = (sent: Sent | null = null): SendOnce => useState(() => createSendOnce(sent))[0];
