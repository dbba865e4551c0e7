// Tasks and agent types of the filled database that requests name: large and small ones, first and last ones.
import type pg from "pg";

export interface Landmarks {
  largeOrganization: string;
  quietOrganization: string;
  largeAgentType: string;
  quietAgentType: string;
  /** With as many descendants as one may have. */
  largeRoot: string;
  firstInQueue: string;
  midQueue: string;
  lastInQueue: string;
  notedTask: string;
  liveTask: string;
  endedTask: string;
  liveDispatch: string;
  executor: string;
}

const look = `
  with types as materialized (
    select agent_type_id, organization_id, count(*) as count from tasks where agent_type_id is not null group by 1, 2
  ), queue as materialized (
    select task_id, row_number() over (order by priority, queue_seq) as place, count(*) over () as length from ready
  ), sums as (select organization_id, sum(count) as count from types group by 1)
  select
    (select slug from organizations o join sums s on s.organization_id = o.id order by s.count desc limit 1) as "largeOrganization",
    (select slug from organizations o join sums s on s.organization_id = o.id order by s.count limit 1) as "quietOrganization",
    (select agent_type_id from types order by count desc limit 1) as "largeAgentType",
    (select agent_type_id from types order by count limit 1) as "quietAgentType",
    (select root_id from tasks where depth > 0 group by 1 order by count(*) desc limit 1) as "largeRoot",
    (select task_id from queue where place = 1) as "firstInQueue",
    (select task_id from queue where place = length / 2) as "midQueue",
    (select task_id from queue where place = length) as "lastInQueue",
    (select task_id from notes order by id limit 1) as "notedTask",
    live.task_id as "liveTask", live.id as "liveDispatch", live.executor,
    (select task_id from dispatches where ended_at is not null order by id limit 1) as "endedTask"
  from dispatches live where live.ended_at is null order by live.id limit 1
`;

/** Reads all tasks: to be called before anything is measured. */
export const findLandmarks = async (client: pg.Client): Promise<Landmarks> => {
  const { rows } = await client.query<Landmarks>(look);
  const [landmarks] = rows;
  if (!landmarks) throw new Error("The filled database has no live dispatch.");
  return landmarks;
};

/** Executors count as seen for an hour, but a filled database may be older. */
export const seeExecutors = async (client: pg.Client): Promise<void> => {
  await client.query(`
    insert into executors (sub, executor, actor, slots)
    select distinct on (executor) actor ->> 'sub', executor, actor, 0 from dispatches where ended_at is null
    on conflict (sub, executor) do update set last_signal_at = now()
  `);
};
