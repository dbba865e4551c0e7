// `POST /tasks` with 50 in flight, against pg-boss `send` with 50 in flight.
import { join } from "node:path";
import { startChild } from "../harness/child-process.ts";
import { type Result, resultOf } from "../harness/figures.ts";
import type { Place } from "../harness/place.ts";
import { alternate, type Side } from "../harness/rounds.ts";
import type { CreatorCommands } from "../ours/creators.ts";
import { agentTypesOf } from "../ours/fleet.ts";
import { tidyQueue } from "../ours/queue-filling.ts";
import type { PgBossCommands } from "../peers/pg-boss.ts";

const inFlight = 50;

export const create = async (place: Place): Promise<Result[]> => {
  const { seconds } = place.sizes;
  const { api, client } = await place.startQueue(0);
  const creators = startChild<CreatorCommands>(join(import.meta.dirname, "../ours/creators.ts"));
  place.defer(creators.stop);
  const url = await place.createDatabase("pg_boss");
  const boss = startChild<PgBossCommands>(join(import.meta.dirname, "../peers/pg-boss.ts"), url);
  place.defer(boss.stop);

  const input = { port: api.port, tokens: place.tokens, agentTypes: await agentTypesOf(client), inFlight };
  const ours: Side = {
    name: "POST /tasks",
    prepare: () => tidyQueue(client),
    measure: () => creators.call("create", input, seconds),
  };
  const theirs: Side = {
    name: "pg-boss",
    prepare: () => boss.call("fill", 0),
    measure: () => boss.call("send", seconds),
  };
  const [mine, other] = await alternate(place, [ours, theirs]);

  const created = await creators.call("created");
  const { rows } = await client.query<{ tasks: number }>(
    "select count(*)::int as tasks from tasks join ready on task_id = id",
  );
  if (rows[0]?.tasks !== created) throw new Error(`${created} tasks were created, ${rows[0]?.tasks} are queued.`);
  return [
    resultOf({
      question: "POST /tasks, 50 in flight",
      peer: "pg-boss 12, send, 50 in flight",
      ours: mine?.perSecond ?? 0,
      theirs: other?.perSecond ?? 0,
      unit: "tasks/s",
      reach: 2.5,
      better: "higher",
    }),
  ];
};
