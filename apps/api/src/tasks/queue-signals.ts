// What those who wait for the queue are told: the seam between the writers of tasks and the dispatcher.
import type { Task } from "@task-service/contract";

/** Where a task stands: all that a waiter's filters look at. */
export interface Place {
  organization_id: string;
  agent_type_id: string;
}

/** Hints, given after the commit they tell of: one that is lost costs time, never a task. */
export interface QueueSignals {
  /** One place for each task that came into the queue or moved in it. */
  queued(places: readonly Place[]): void;
  /** Dispatches that were live and are over or removed. */
  ended(dispatchIds: readonly string[]): void;
}

/** Tells of tasks that are in the queue now; those of no agent type never are. */
export const signalQueued = ({ queued }: QueueSignals, tasks: readonly Task[]): void => {
  const places = tasks.flatMap(({ organization_id, agent_type }) =>
    agent_type ? [{ organization_id, agent_type_id: agent_type.id }] : [],
  );
  if (places.length > 0) queued(places);
};
