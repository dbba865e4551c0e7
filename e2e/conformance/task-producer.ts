// Programs that create tasks: now in a flood, now one by one; what was answered with 201 counts, and must never be lost.
import { setTimeout as delay } from "node:timers/promises";
import type { Client, Task, TaskCreate } from "@task-service/contract";
import { attempt, type Caller } from "./attempt.ts";
import { between, pick } from "./seeded-random.ts";

export interface ProducerOptions extends Caller {
  readonly client: Client;
  /** Ids of agent types. */
  readonly agentTypes: readonly [string, ...string[]];
  /** How many creates must be acknowledged. */
  readonly tasks: number;
}

const priorities = [-50, 0, 0, 0, 50, 100] as const;
const maxBulk = 40;
/** In turns: as fast as it goes, then with pauses in which executors find the queue empty. */
const tasksInATurn = 100;
const pauseMs = 25;

/** Resolves when so many tasks are acknowledged. One that nobody answered for is created anew: the service may have both. */
export const createTasks = async (options: ProducerOptions): Promise<void> => {
  const { client, random, agentTypes, log, tasks, over } = options;
  const draw = (): TaskCreate => ({
    prompt: `Count to ${Math.ceil(random() * 1000)}`,
    priority: pick(random, priorities),
    assignee_type: "agent",
    assignee: pick(random, agentTypes),
  });
  const send = async (signal: AbortSignal, count: number): Promise<Task[]> => {
    if (count === 1) return [await client.createTask({ body: draw(), signal })];
    return (await client.createTasks({ body: { tasks: Array.from({ length: count }, draw) }, signal })).items;
  };

  for (let made = 0; made < tasks && !over.aborted; ) {
    const isBulk = random() < 0.1;
    const count = isBulk ? Math.min(tasks - made, Math.ceil(random() * maxBulk)) : 1;
    const outcome = await attempt(options, [], (signal) => send(signal, count));
    if (outcome.kind !== "answered") continue;
    const ackedMs = Date.now();
    log.acked.push(...outcome.answer.map(({ id }) => ({ task_id: id, ackedMs })));
    made += count;
    const isFlood = Math.floor(made / tasksInATurn) % 2 === 0;
    if (!isFlood) await delay(between(random, 0, pauseMs), undefined, { signal: over }).catch(() => undefined);
  }
};
