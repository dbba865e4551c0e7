// Hints between replicas by LISTEN and NOTIFY: what was queued or ended elsewhere. Losing them costs time, never a task.
import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { Logger } from "./logger.ts";

export type Topic = "queued" | "ended";

export interface Notifications {
  /** Tells the other replicas soon: at once, then at most every 50 ms. Never fails. */
  notify(topic: Topic): void;
  /** Calls `hear` for what other replicas tell, and for each topic after every (re)connection, since hints may be lost. */
  listen(hear: (topic: Topic) => void): Promise<void>;
  close(): Promise<void>;
}

const channel = "task_service";
/** Each NOTIFY takes a lock of the whole cluster at its commit: never one for each task. */
const pauseMs = 50;
const topics: readonly Topic[] = ["queued", "ended"];

/** Has two connections of its own, one of which listens: `url` must lead past any pooler. */
export const createNotifications = ({ url, log }: { url: string; log: Logger }): Notifications => {
  const instance = randomUUID();
  const connection = postgres(url, {
    max: 1,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 1),
    onnotice: () => {},
    connection: { application_name: "task-service notifications" },
  });
  const pauses = new Map<Topic, NodeJS.Timeout | undefined>();
  const isDue = new Set<Topic>();

  const send = (topic: Topic): void => {
    isDue.delete(topic);
    const pause = setTimeout(() => {
      pauses.delete(topic);
      if (isDue.has(topic)) send(topic);
    }, pauseMs);
    pauses.set(topic, pause);
    connection`select pg_notify(${channel}, ${`${topic} ${instance}`})`.catch((error: Error) => {
      log.debug({ err: error }, "a notification was not sent");
    });
  };

  return {
    notify: (topic) => {
      if (pauses.has(topic)) isDue.add(topic);
      else send(topic);
    },
    listen: async (hear) => {
      const receive = (payload: string): void => {
        const [topic, sender] = payload.split(" ");
        const known = topics.find((one) => one === topic);
        if (known && sender !== instance) hear(known);
      };
      await connection.listen(channel, receive, () => topics.forEach(hear));
    },
    close: async () => {
      for (const pause of pauses.values()) clearTimeout(pause);
      await connection.end({ timeout: 1 });
    },
  };
};
