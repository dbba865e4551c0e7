// Executors in a process of their own: they take by `GET /tasks/next` or by `POST /capacity`, and remember what they were handed.
import { serve } from "../harness/commands.ts";
import { type Rate, rateOf } from "../harness/figures.ts";
import { openTimeWindow } from "../harness/time-window.ts";
import { handoffIdsIn } from "./handoff-ids.ts";
import { type HttpConnection, openConnection, requestOf } from "./http-connection.ts";

export interface Takers {
  port: number;
  tokens: readonly string[];
  executors: number;
  /** Appended to the query, as `&agent_type=…`. */
  filter?: string;
}

export interface Signallers {
  port: number;
  tokens: readonly string[];
  executors: number;
  slots: number;
}

export type ExecutorCommands = {
  /** GET, as fast as it goes, for so many seconds. */
  take: (takers: Takers, seconds: number) => Promise<Rate>;
  /** GET until so many are taken; the rate is from the first request to the last answer. */
  takeCount: (takers: Takers, count: number) => Promise<Rate>;
  /** Capacity signals that report the last hand-overs as finished and take the next, for so many seconds. */
  signal: (signallers: Signallers, seconds: number) => Promise<Rate>;
  /** How many tasks were handed over, and how many different ones. */
  taken: () => Promise<{ handed: number; distinct: number }>;
};

const taken: string[] = [];
/** By the executor's number: what its next signal reports. Kept between rounds, for what is not reported was lost. */
const finished = new Map<number, string[]>();
let lastKey = 0;

const tokenFor = (tokens: readonly string[], n: number): string => tokens[n % tokens.length] ?? "";

/** One request after the other on each connection, while `isOver` says no. */
const onEach = async (
  { port, executors }: { port: number; executors: number },
  isOver: () => boolean,
  one: (connection: HttpConnection, n: number) => Promise<void>,
): Promise<void> => {
  const connections = await Promise.all(Array.from({ length: executors }, () => openConnection(port)));
  await Promise.all(
    connections.map(async (connection, n) => {
      while (!isOver()) await one(connection, n);
      connection.close();
    }),
  );
};

/** Takes one task; false when none was there. */
const takeOne = async (connection: HttpConnection, { tokens, filter = "" }: Takers, n: number): Promise<boolean> => {
  lastKey += 1;
  const path = `/tasks/next?executor=taker-${n}&claim_key=${lastKey}${filter}`;
  const answer = await connection.send(requestOf("GET", path, tokenFor(tokens, n)));
  if (answer.status === 204) return false;
  const [ids] = handoffIdsIn(answer);
  if (answer.status !== 200 || !ids) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  taken.push(ids.taskId);
  return true;
};

const signalOnce = async (connection: HttpConnection, { tokens, slots }: Signallers, n: number): Promise<number> => {
  lastKey += 1;
  const signal = {
    executor: `signaller-${n}`,
    slots,
    claim_key: String(lastKey),
    sequence: lastKey,
    holding: [],
    finished: finished.get(n) ?? [],
  };
  const answer = await connection.send(requestOf("POST", "/capacity", tokenFor(tokens, n), signal));
  if (answer.status !== 200) throw new Error(`/capacity: ${answer.status} ${answer.body}`);
  const ids = handoffIdsIn(answer);
  taken.push(...ids.map(({ taskId }) => taskId));
  finished.set(
    n,
    ids.map(({ dispatchId }) => dispatchId),
  );
  return ids.length;
};

serve({
  take: async (takers, seconds) => {
    const window = openTimeWindow(seconds);
    await onEach(takers, window.isOver, async (connection, n) => {
      const startedAt = performance.now();
      if (await takeOne(connection, takers, n)) window.count(startedAt);
    });
    return window.rate();
  },
  takeCount: async (takers, count) => {
    let asked = 0;
    let startedAt = 0;
    const isOver = (): boolean => {
      startedAt ||= performance.now();
      asked += 1;
      return asked > count;
    };
    await onEach(takers, isOver, async (connection, n) => {
      if (!(await takeOne(connection, takers, n))) throw new Error("The queue ran empty.");
    });
    return rateOf(count, (performance.now() - startedAt) / 1000);
  },
  signal: async (signallers, seconds) => {
    const window = openTimeWindow(seconds);
    await onEach(signallers, window.isOver, async (connection, n) => {
      const startedAt = performance.now();
      const handed = await signalOnce(connection, signallers, n);
      for (let one = 0; one < handed; one += 1) window.count(startedAt);
    });
    return window.rate();
  },
  taken: async () => ({ handed: taken.length, distinct: new Set(taken).size }),
} satisfies ExecutorCommands);
