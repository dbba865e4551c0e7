// Programs that create tasks by `POST /tasks`, in a process of their own.
import { serve } from "../harness/commands.ts";
import type { Rate } from "../harness/figures.ts";
import { priorityOf, promptOf } from "../harness/task-shape.ts";
import { openTimeWindow } from "../harness/time-window.ts";
import { openConnection, requestOf } from "./http-connection.ts";

export interface Creators {
  port: number;
  tokens: readonly string[];
  agentTypes: readonly string[];
  inFlight: number;
}

export type CreatorCommands = {
  /** As fast as it goes, for so many seconds. */
  create: (creators: Creators, seconds: number) => Promise<Rate>;
  /** How many were created in all. */
  created: () => Promise<number>;
};

let created = 0;

serve({
  create: async ({ port, tokens, agentTypes, inFlight }, seconds) => {
    const window = openTimeWindow(seconds);
    const create = async (token: string): Promise<void> => {
      const connection = await openConnection(port);
      while (!window.isOver()) {
        const startedAt = performance.now();
        const n = created++;
        const assignee = agentTypes[n % agentTypes.length];
        const task = { assignee_type: "agent", assignee, prompt: promptOf(n), priority: priorityOf(n) };
        const { status, body } = await connection.send(requestOf("POST", "/tasks", token, task));
        if (status !== 201) throw new Error(`POST /tasks: ${status} ${body}`);
        window.count(startedAt);
      }
      connection.close();
    };
    await Promise.all(Array.from({ length: inFlight }, (_, n) => create(tokens[n % tokens.length] ?? "")));
    return window.rate();
  },
  created: async () => created,
} satisfies CreatorCommands);
