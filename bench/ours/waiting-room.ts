// An empty queue of ours at which executors wait.
import { join } from "node:path";
import { startChild } from "../harness/child-process.ts";
import type { Place } from "../harness/place.ts";
import type { WakeTimes } from "../harness/wake-times.ts";
import type { ApiProcess } from "./api-process.ts";
import { agentTypesOf } from "./fleet.ts";
import type { WaitingCommands } from "./waiting-executors.ts";

export interface OpenWaitingRoom {
  readonly api: ApiProcess;
  /** Creates so many tasks, one after the other, each received by one who waits. */
  wake(samples: number): Promise<WakeTimes>;
}

/** Resolves when so many executors wait. */
export const startWaitingRoom = async (place: Place, executors: number): Promise<OpenWaitingRoom> => {
  const { api, client } = await place.startQueue(0);
  const [agentType = ""] = await agentTypesOf(client);
  const waiting = startChild<WaitingCommands>(join(import.meta.dirname, "waiting-executors.ts"));
  place.defer(waiting.stop);
  const room = { port: api.port, tokens: place.tokens, agentType };
  await waiting.call("park", room, executors);
  return { api, wake: (samples) => waiting.call("wake", room, samples) };
};
