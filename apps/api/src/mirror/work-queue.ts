// Work that nobody waits for: some of it at a time, the same thing once, and never more in waiting than memory bears.

export interface WorkQueue<T> {
  /** False if it was not taken: too much waits, or the queue is closed. Takes the place of what waits under the same key. */
  add(key: string, item: T): boolean;
  /** Resolves when nothing waits and nothing is under way. */
  idle(): Promise<void>;
  /** Takes nothing more, drops what waits, and resolves when what is under way has ended. */
  close(): Promise<void>;
}

interface WorkQueueOptions<T> {
  width: number;
  maxWaiting: number;
  /** What is kept of two under one key; the one added last unless set otherwise. */
  merge?: (waiting: T, added: T) => T;
  /** A failure is its own to report. */
  work: (item: T) => Promise<void>;
}

export const createWorkQueue = <T>({
  width,
  maxWaiting,
  merge = (_, added) => added,
  work,
}: WorkQueueOptions<T>): WorkQueue<T> => {
  const waiting = new Map<string, T>();
  let idlers: (() => void)[] = [];
  let running = 0;
  let isClosed = false;

  const start = (): void => {
    for (const [key, item] of waiting) {
      if (running === width) return;
      waiting.delete(key);
      running++;
      void work(item).finally(() => {
        running--;
        start();
      });
    }
    if (running > 0) return;
    for (const resolve of idlers) resolve();
    idlers = [];
  };

  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      if (running === 0 && waiting.size === 0) resolve();
      else idlers.push(resolve);
    });

  return {
    add: (key, item) => {
      if (isClosed || (waiting.size >= maxWaiting && !waiting.has(key))) return false;
      const before = waiting.get(key);
      waiting.set(key, before === undefined ? item : merge(before, item));
      // Not at once: what is added in one go is there once.
      queueMicrotask(start);
      return true;
    },
    idle,
    close: () => {
      isClosed = true;
      waiting.clear();
      return idle();
    },
  };
};
