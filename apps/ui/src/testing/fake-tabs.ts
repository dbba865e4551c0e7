// The tabs of one browser: what they share, and whether each is looked at.
import type { TabSharing } from "../data/live-events.ts";
import type { Page } from "../data/page-signals.ts";

type Post = (data: unknown) => void;
interface Request {
  name: string;
  start: () => void;
}

/** Locks and channels as browsers have them, for any number of tabs. */
export const createFakeBrowser = (): TabSharing & { posted: unknown[] } => {
  const posted: unknown[] = [];
  const held = new Set<string>();
  let pending: Request[] = [];
  const channels = new Map<string, Set<Post>>();

  const next = (name: string) => {
    held.delete(name);
    const waiting = pending.find((request) => request.name === name);
    pending = pending.filter((request) => request !== waiting);
    waiting?.start();
  };
  const request = (name: string, { signal }: LockOptions, hold: () => Promise<unknown>) =>
    new Promise((resolve, reject) => {
      const mine: Request = {
        name,
        start: () => {
          held.add(name);
          void Promise.resolve()
            .then(hold)
            .finally(() => next(name))
            .then(resolve, reject);
        },
      };
      signal?.addEventListener("abort", () => {
        if (!pending.includes(mine)) return;
        pending = pending.filter((one) => one !== mine);
        reject(signal.reason);
      });
      if (signal?.aborted) reject(signal.reason);
      else if (held.has(name)) pending.push(mine);
      else mine.start();
    });

  return {
    posted,
    locks: { request, query: async () => ({ pending }) } as unknown as TabSharing["locks"],
    openChannel: (name) => {
      const others = channels.get(name) ?? new Set();
      channels.set(name, others);
      const hear: Post = (data) => channel.onmessage?.call(channel as BroadcastChannel, { data } as MessageEvent);
      const channel: ReturnType<TabSharing["openChannel"]> = {
        onmessage: null,
        postMessage: (message) => {
          const data = structuredClone(message);
          posted.push(data);
          for (const other of others) if (other !== hear) queueMicrotask(() => other(data));
        },
        close: () => others.delete(hear),
      };
      others.add(hear);
      return channel;
    },
  };
};

export const createFakePage = (): Page & { setHidden: (hidden: boolean) => void } => {
  const target = new EventTarget();
  const page = {
    hidden: false,
    addEventListener: target.addEventListener.bind(target),
    setHidden: (hidden: boolean) => {
      page.hidden = hidden;
      target.dispatchEvent(new Event("visibilitychange"));
    },
  };
  return page;
};
