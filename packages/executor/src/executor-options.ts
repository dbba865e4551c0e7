// What an executor is made of, and what of it the service is told.
import type { Client } from "@task-service/contract";
import type { SignalSettings } from "./capacity-signal.ts";
import type { DispatchClient, RunTask } from "./dispatch-work.ts";
import type { Pacing } from "./pacing.ts";

export const defaultLeaseSeconds = 60;

export interface TaskFilters {
  /** Id or slug. */
  readonly organization?: string;
  /** Ids, or slugs if `organization` is given. */
  readonly agentTypes?: readonly string[];
}

export interface ExecutorOptions {
  /** Of `@task-service/contract`; `connect` makes one from settings. */
  readonly client: Pick<Client, "signalCapacity"> & DispatchClient;
  /** What the service shows as the executor of a task: 1 to 100 visible characters, of one process, kept when it restarts. */
  readonly name: string;
  /** How many tasks are worked on at once; 1 to 100. */
  readonly slots: number;
  readonly run: RunTask;
  readonly filters?: TaskFilters;
  /** Takes one line; never a prompt, a persona or a token. Nothing is logged without it. */
  readonly log?: (line: string) => void;
  /** After how long without a word the service gives a task to somebody else; 10 to 86,400, default 60; null: never. */
  readonly leaseSeconds?: number | null;
  readonly pacing?: Pacing;
}

/** What each of its signals says. */
export const signalSettings = (options: ExecutorOptions): SignalSettings => {
  const { name, filters = {}, leaseSeconds = defaultLeaseSeconds } = options;
  return {
    executor: name,
    ...(leaseSeconds !== null && { lease_seconds: leaseSeconds }),
    ...(filters.organization && { organization: filters.organization }),
    ...(filters.agentTypes?.length && { agent_types: [...filters.agentTypes] }),
  };
};
