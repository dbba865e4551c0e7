// A peer's process as a side of the rounds.
import { join } from "node:path";
import { startChild } from "../harness/child-process.ts";
import type { Place } from "../harness/place.ts";
import type { Side } from "../harness/rounds.ts";
import type { PeerCommands } from "./peer.ts";

/** Starts `peers/<program>.ts` and queues as much as the question asks for. */
export const startPeer = async (place: Place, name: string, program: string, ...args: string[]): Promise<Side> => {
  const { waiting, seconds } = place.sizes;
  const peer = startChild<PeerCommands>(join(import.meta.dirname, `${program}.ts`), ...args);
  place.defer(peer.stop);
  const prepare = (): Promise<void> => peer.call("fill", waiting);
  await prepare();
  return { name, prepare, measure: () => peer.call("measure", seconds) };
};
