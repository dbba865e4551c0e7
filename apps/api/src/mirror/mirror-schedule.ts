// Rounds over all repositories that tasks are linked to (D-34): by one replica at a time, counted from begin to begin.
import { type Sql, within } from "../platform/database.ts";
import type { Logger } from "../platform/logger.ts";
import { repeat } from "../platform/repetition.ts";
import { takeRound } from "../platform/rounds.ts";
import type { Mirror } from "./mirror.ts";

const lookEveryMs = 1000;
const roundAtMostMs = 3_600_000;
const stopMs = 2000;

export interface MirrorScheduleDeps {
  sql: Sql;
  mirror: Mirror;
  intervalSeconds: number;
  log: Logger;
}

/** Begins the first round when it is due. The returned function closes the mirror, and with it a round, within 2 s. */
export const startMirrorSchedule = ({
  sql,
  mirror,
  intervalSeconds,
  log,
}: MirrorScheduleDeps): (() => Promise<void>) => {
  let round: Promise<unknown> = Promise.resolve();
  const begin = () => {
    round = takeRound(sql, log, { name: "mirror", everySeconds: intervalSeconds, work: mirror.look });
    return round;
  };
  const stop = repeat("mirroring issues and pull requests", lookEveryMs, log, begin, roundAtMostMs);
  return async () => {
    stop();
    await within(stopMs, Promise.all([mirror.close(), round])).catch(() => {});
  };
};
