// Breaks what can break while a run goes on: replicas by SIGKILL, PostgreSQL by immediate shutdown; what fell is put up again.
import { setTimeout as delay } from "node:timers/promises";
import type { Replica } from "./replica-process.ts";
import type { Service } from "./replicas.ts";
import { between, type Random } from "./seeded-random.ts";

export interface ChaosOptions {
  service: Service;
  random: Random;
  /** A replica is killed after so long, half of it more or less. */
  killEveryMs: number;
  databaseRestarts: number;
  /** How much of the run is done, from 0 to 1: PostgreSQL falls in the middle, spread evenly. */
  progress: () => number;
}

export interface Chaos {
  /** Ends of replicas, those by their own failpoints too. */
  readonly kills: number;
  readonly databaseRestarts: number;
  /** Kills nobody any more; resolves when every replica is up. Rejects if one could not be started again. */
  stop(): Promise<void>;
}

const downMs = 300;
const ignoreEnd = (): void => undefined;

export const startChaos = ({ service, random, killEveryMs, databaseRestarts, progress }: ChaosOptions): Chaos => {
  const { replicas, database } = service;
  const stopping = new AbortController();
  const counts = { kills: 0, databaseRestarts: 0 };
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  const fallen = new Set<Replica>();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener("abort", () => resolve()));

  /** Puts a replica up again whenever it falls, as a supervisor does. */
  const supervise = async (replica: Replica): Promise<void> => {
    while (!stopping.signal.aborted) {
      await Promise.race([replica.ended(), stopped]);
      if (replica.isRunning()) return;
      fallen.add(replica);
      counts.kills += 1;
      await delay(downMs);
      // A failpoint of its own, or the database going away, may end it again before it is ready.
      await replica.start().then(() => fallen.delete(replica), ignoreEnd);
    }
    if (!replica.isRunning()) await replica.start();
  };

  /** One at a time: on a slow machine the next one waits until the last is up again. */
  const killReplicas = async (): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; ) {
      await pause(between(random, killEveryMs / 2, killEveryMs * 1.5));
      if (fallen.size > 0 || stopping.signal.aborted) continue;
      await replicas[turn++ % replicas.length]?.kill();
    }
  };

  const crashDatabase = async (): Promise<void> => {
    while (counts.databaseRestarts < databaseRestarts && !stopping.signal.aborted) {
      await pause(100);
      if (progress() < (counts.databaseRestarts + 1) / (databaseRestarts + 2)) continue;
      await database.crash();
      await pause(downMs);
      await database.start();
      counts.databaseRestarts += 1;
    }
  };

  const running = Promise.all([...replicas.map(supervise), killReplicas(), crashDatabase()]);
  // Told by stop().
  running.catch(() => undefined);
  return {
    get kills() {
      return counts.kills;
    },
    get databaseRestarts() {
      return counts.databaseRestarts;
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
