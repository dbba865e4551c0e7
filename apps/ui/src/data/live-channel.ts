// How the tabs of one browser pass on what one of them is told: nothing is missed unnoticed.
import type { News } from "./live-news.ts";

/** What `BroadcastChannel` is used for. */
export type TabChannel = Pick<BroadcastChannel, "postMessage" | "close" | "onmessage">;

interface Told {
  kind: "told";
  /** Who reads the stream, and which of its messages this is, from 1. */
  reader: string;
  count: number;
  /** The event that it read on from, if it did. */
  since: string | undefined;
  isUp: boolean;
  news: readonly News[];
  /** The last event that was told. */
  id: string | undefined;
}
type Message = Told | { kind: "want" } | { kind: "doubt"; atMs: number };

interface ChannelListener {
  /** The last event that this tab was told of. */
  lastId: () => string | undefined;
  /** What another tab was told. */
  hear: (news: readonly News[], isUp: boolean, id: string | undefined) => void;
  /** Another tab is looked at, and asks how things stand. */
  want: () => void;
  /** Another tab got no answer at that moment. */
  doubt: (atMs: number) => void;
  /** Nothing came for too long from whoever reads. */
  silence: () => void;
}

/** Between two signs of life of a tab that reads. */
export const aliveMs = 15_000;
const silentMs = 40_000;

export const openLiveChannel = (channel: TabChannel, listener: ChannelListener) => {
  let known = { reader: "", count: 0 };
  let alarm: ReturnType<typeof setTimeout> | undefined;
  const post = (message: Message) => channel.postMessage(message);

  const isContinued = ({ reader, count, since }: Told): boolean => {
    if (reader === known.reader) return count === known.count + 1;
    return count === 1 && since !== undefined && since <= (listener.lastId() ?? "");
  };

  channel.onmessage = ({ data }) => {
    const message = data as Message;
    if (message.kind === "want") return listener.want();
    if (message.kind === "doubt") return listener.doubt(message.atMs);
    clearTimeout(alarm);
    alarm = setTimeout(listener.silence, silentMs);
    const isWhole = isContinued(message);
    // Until it is up there is nothing to go on from.
    known = isWhole || message.isUp ? message : { reader: "", count: 0 };
    listener.hear(isWhole || !message.isUp ? message.news : ["anything"], message.isUp, message.id);
  };

  return {
    want: () => post({ kind: "want" }),
    doubt: (atMs: number) => post({ kind: "doubt", atMs }),
    /** For the tab that reads from now on: what it is told, it passes on. */
    startTelling: (since: string | undefined) => {
      clearTimeout(alarm);
      known = { reader: "", count: 0 };
      const reader = crypto.randomUUID();
      let count = 0;
      return (isUp: boolean, news: readonly News[], id: string | undefined) => {
        count += 1;
        post({ kind: "told", reader, count, since, isUp, news, id });
      };
    },
    close: () => {
      clearTimeout(alarm);
      channel.onmessage = null;
      channel.close();
    },
  };
};
