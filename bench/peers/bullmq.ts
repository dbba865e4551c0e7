// BullMQ on Redis: one worker that does nothing with 50 jobs at once.
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { serve } from "../harness/commands.ts";
import { priorities, priorityOf, promptOf } from "../harness/task-shape.ts";
import { openTimeWindow } from "../harness/time-window.ts";
import type { PeerCommands } from "./peer.ts";

const [port = ""] = process.argv.slice(2);
const connection = { host: "127.0.0.1", port: Number(port), maxRetriesPerRequest: null };
const name = "tasks";
const concurrency = 50;
const byItsOwnMeans = 1000;
const batchSize = 20_000;

const queue = new Queue(name, { connection });
const redis = new Redis(connection);
/** Its priorities begin with 1, which goes first. */
const ranks = [...new Set(priorities)].sort((a, b) => b - a);

const jobsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    name: "take",
    data: { prompt: promptOf(first + i) },
    opts: { priority: 1 + ranks.indexOf(priorityOf(first + i)) },
  }));

// Copies the newest jobs, as they are, under new ids: `addBulk` takes minutes for a million.
const copyJobs = `
  local last = tonumber(redis.call('get', KEYS[1] .. 'id'))
  for n = 1, tonumber(ARGV[1]) do
    local job = redis.call('hgetall', KEYS[1] .. (last - n % tonumber(ARGV[2])))
    local id = redis.call('incr', KEYS[1] .. 'id')
    local turn = redis.call('incr', KEYS[1] .. 'pc')
    redis.call('hset', KEYS[1] .. id, unpack(job))
    for i = 1, #job, 2 do
      if job[i] == 'priority' then
        redis.call('zadd', KEYS[1] .. 'prioritized', job[i + 1] * 4294967296 + turn, id)
      end
    end
  end
`;

serve({
  fill: async (count) => {
    const missing = count - (await queue.getJobCountByTypes("prioritized"));
    if (missing <= 0) return;
    await queue.addBulk(jobsFrom(0, Math.min(byItsOwnMeans, missing)));
    for (let left = missing - byItsOwnMeans; left > 0; left -= batchSize)
      await redis.eval(copyJobs, 1, queue.toKey(""), Math.min(batchSize, left), byItsOwnMeans);
  },
  measure: async (seconds) => {
    const window = openTimeWindow(seconds);
    const worker = new Worker(name, async () => window.count(), {
      connection,
      concurrency,
      removeOnComplete: { count: 0 },
    });
    await window.end;
    await worker.close();
    return window.rate();
  },
} satisfies PeerCommands);
