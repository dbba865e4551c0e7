// Where a named scenario plays: an organization of its own on a service with several replicas, and the few things scenarios look at.
import { randomUUID } from "node:crypto";
import type { Client, Dispatch, Task, TaskCreate } from "@task-service/contract";
import { vi } from "vitest";
import type { Service } from "./replicas.ts";

export interface Stage {
  /** Slug of the organization; requests filter by it, since all scenarios of a file share one queue. */
  readonly organization: string;
  /** Ids, in the order of the personas asked for. */
  readonly agentTypes: readonly string[];
  /** One for each replica; what scenarios look at is asked of the second. */
  readonly clients: readonly [Client, Client];
  create(task?: Partial<TaskCreate>): Promise<Task>;
  /** A task's dispatches, the first one first. */
  dispatchesOf(taskId: string): Promise<Dispatch[]>;
  /** Resolves when the service shows that the executor waits. */
  untilWaiting(executor: string): Promise<void>;
}

export const setStage = async (service: Service, personas: readonly string[] = ["developer"]): Promise<Stage> => {
  const { organization, agentTypes } = await service.createFleet(`org-${randomUUID().slice(0, 8)}`, personas);
  const ids = personas.map((slug) => agentTypes.find((agentType) => agentType.slug === slug)?.id ?? "");
  const [first, second] = service.replicas.map(({ origin }) => service.clientAt(origin));
  if (!first || !second) throw new Error("a scenario needs two replicas");
  return {
    organization,
    agentTypes: ids,
    clients: [first, second],
    create: (task = {}) =>
      first.createTask({ body: { prompt: "Do the work", assignee_type: "agent", assignee: ids[0] ?? null, ...task } }),
    dispatchesOf: async (id) => (await second.listTaskDispatches({ params: { id } })).items.toReversed(),
    untilWaiting: (name) =>
      vi.waitFor(
        async () => {
          const { items } = await second.listExecutors({ query: { limit: 200 } });
          if (!items.some(({ executor, is_waiting }) => executor === name && is_waiting)) throw new Error("not yet");
        },
        { timeout: 8000, interval: 100 },
      ),
  };
};

/** An executor's name and a claim key nobody else has. */
export const newName = (): string => `executor-${randomUUID().slice(0, 8)}`;

/** The problem's code that a request is refused with. */
export const refusalOf = async (request: Promise<unknown>): Promise<string | undefined> => {
  try {
    await request;
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

/** Ends the connections on which replicas hear of each other's work; they connect anew at once. Returns how many there were. */
export const cutNotifications = async ({ sql }: Service): Promise<number> => {
  const cut = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'task-service notifications'
  `;
  return cut.length;
};
