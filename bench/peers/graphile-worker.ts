// graphile-worker: `run` with 24 tasks at once that do nothing, plain or with a local queue of 500.
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import pg from "pg";
import { serve } from "../harness/commands.ts";
import { priorities, promptCharacters, promptStarts, promptText } from "../harness/task-shape.ts";
import { openTimeWindow } from "../harness/time-window.ts";
import type { PeerCommands } from "./peer.ts";

const [connectionString = "", mode = "plain"] = process.argv.slice(2);
const batchSize = 20_000;

// As in "Quick stats" of its documentation (worker.graphile.org/docs/performance); plain is without the batching.
const batching = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
const worker = {
  connectionString,
  concurrentJobs: 24,
  maxPoolSize: 25,
  logger: new Logger(() => () => {}),
  ...(mode === "local-queue" && batching),
};

const utils = await makeWorkerUtils({ connectionString, logger: worker.logger });
await utils.migrate();
await utils.release();
const pool = new pg.Pool({ connectionString, max: 2 });

serve({
  fill: async (count) => {
    const { rows } = await pool.query("select count(*)::int as count from graphile_worker._private_jobs");
    for (let n = rows[0].count; n < count; n += batchSize)
      // Its priorities are the other way round: the lowest goes first.
      await pool.query(
        `select count(*) from graphile_worker.add_jobs(array(
          select ('take', json_build_object('prompt', substr($1::text, 1 + n % $2::int, $3::int)), null, null, null, null,
            -($4::int[])[1 + n % cardinality($4::int[])], null)::graphile_worker.job_spec
          from generate_series($5::int, $6::int - 1) n))`,
        [promptText, promptStarts, promptCharacters, priorities, n, Math.min(n + batchSize, count)],
      );
    await pool.query("vacuum analyze graphile_worker._private_jobs");
  },
  measure: async (seconds) => {
    const window = openTimeWindow(seconds);
    const take = async (): Promise<void> => window.count();
    const runner = await run({ preset: { worker }, taskList: { take }, noHandleSignals: true });
    await window.end;
    await runner.stop();
    return window.rate();
  },
} satisfies PeerCommands);
