// What every peer's process can be asked to do.
import type { Rate } from "../harness/figures.ts";

export type PeerCommands = {
  /** Brings its queue to `count` tasks by its own means for many at once. */
  fill: (count: number) => Promise<void>;
  /** Takes as fast as it can, for so many seconds. */
  measure: (seconds: number) => Promise<Rate>;
};
