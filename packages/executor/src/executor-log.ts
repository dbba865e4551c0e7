// The executor's own lines: ids, titles and ends of tasks, never prompts, personas or tokens.
import type { Handoff } from "@task-service/contract";
import type { DispatchEnd } from "./dispatch-work.ts";

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** The title is somebody else's text: quoted and escaped, it stays one line. */
export const taken = ({ task, agent_type, dispatch }: Handoff): string =>
  `took ${task.id} ${JSON.stringify(task.title)} (priority ${task.priority}, ${agent_type.slug}, attempt ${dispatch.attempt})`;

const describeEnd = ({ outcome, reason }: DispatchEnd): string => {
  if (outcome === "revoked") return "stopped and forgotten, its dispatch is over";
  if (outcome === "unreported") return "not reported, the task returns when its lease is over";
  return reason === undefined ? outcome : `${outcome}, ${reason}`;
};

export const ended = ({ task }: Handoff, end: DispatchEnd, tookMs: number): string =>
  `ended ${task.id} after ${seconds(tookMs)}: ${describeEnd(end)}`;
