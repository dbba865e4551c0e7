// Executors that wait for a task, and the program that creates one at a time: how soon one of them has it.
import { serve } from "../harness/commands.ts";
import { promptOf } from "../harness/task-shape.ts";
import { takeWakeTimes, type WakeTimes } from "../harness/wake-times.ts";
import { handoffIdsIn } from "./handoff-ids.ts";
import { type HttpConnection, openConnection, requestOf } from "./http-connection.ts";

export interface WaitingRoom {
  port: number;
  tokens: readonly string[];
  agentType: string;
}

export type WaitingCommands = {
  /** Lets so many wait from now on. Resolves when all have asked. */
  park: (room: WaitingRoom, executors: number) => Promise<void>;
  /** Creates so many tasks, one after the other. */
  wake: (room: WaitingRoom, samples: number) => Promise<WakeTimes>;
  /** No executor waits any more. */
  leave: () => Promise<void>;
};

const waitSeconds = 50;
const connectionsAtOnce = 250;

let onHandoff: (taskId: string) => void = () => {};
let waiting: HttpConnection[] = [];
let lastKey = 0;

const waitAgainAndAgain = async (connection: HttpConnection, { tokens }: WaitingRoom, n: number): Promise<void> => {
  const token = tokens[n % tokens.length] ?? "";
  for (;;) {
    lastKey += 1;
    const askedAt = performance.now();
    const path = `/tasks/next?executor=waiter-${n}&claim_key=${lastKey}&wait_seconds=${waitSeconds}`;
    const answer = await connection.send(requestOf("GET", path, token));
    const [ids] = handoffIdsIn(answer);
    if (ids) onHandoff(ids.taskId);
    else if (answer.status !== 204 || performance.now() - askedAt < 1000 * (waitSeconds - 1))
      throw new Error(`${path} did not wait: ${answer.status} ${answer.body}`);
  }
};

serve({
  park: async (room, executors) => {
    for (let n = waiting.length; n < executors; n += connectionsAtOnce) {
      const missing = Math.min(connectionsAtOnce, executors - n);
      const opened = await Promise.all(Array.from({ length: missing }, () => openConnection(room.port)));
      for (const [i, connection] of opened.entries())
        waitAgainAndAgain(connection, room, n + i).catch((error: Error) => {
          if (waiting.includes(connection)) fail(error);
        });
      waiting.push(...opened);
    }
  },
  wake: async (room, samples) => {
    const creator = await openConnection(room.port);
    const [token = ""] = room.tokens;
    const times = await takeWakeTimes(samples, async () => {
      const task = { assignee_type: "agent", assignee: room.agentType, prompt: promptOf(lastKey), priority: 0 };
      const request = requestOf("POST", "/tasks", token, task);
      const handoff = nextHandoff();
      const createdAt = performance.now();
      const { status, body } = await creator.send(request);
      if (status !== 201) throw new Error(`POST /tasks: ${status} ${body}`);
      return (await handoff) - createdAt;
    });
    creator.close();
    return times;
  },
  leave: async () => {
    const leaving = waiting;
    waiting = [];
    for (const connection of leaving) connection.close();
  },
} satisfies WaitingCommands);

let fail: (error: Error) => void = () => {};

/** When the next task arrives at one of them. */
const nextHandoff = (): Promise<number> =>
  new Promise((resolve, reject) => {
    onHandoff = () => resolve(performance.now());
    fail = reject;
  });
