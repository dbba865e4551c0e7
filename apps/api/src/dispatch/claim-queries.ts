// The claim: hands the first places of the queue to the waiting slots, with dispatch, key and event, in one statement (D-18, D-22).
import type { Actor, Task } from "@task-service/contract";
import type { Sql } from "../platform/database.ts";
import { writeMoves } from "../tasks/count-queries.ts";
import { latestNotes } from "../tasks/note-queries.ts";
import { taskColumns, taskJoins } from "../tasks/task-columns.ts";
import { type HeadSize, headSizeFor, largestHead, queueHead, type ScopeKind, type Span } from "./queue-head.ts";

/** One free slot of a waiter, in the order the slots are to be filled. */
export interface Slot {
  /** Of the dispatch, should it come to one. */
  dispatch_id: string;
  /** The waiter's number within this claim. */
  waiter: number;
  executor: string;
  actor: Actor;
  lease_seconds: number | null;
  claim_key: string | null;
  /** Among the waiter's slots, from 0. */
  claim_ordinal: number;
  /** The capacity signal it stands for; null for a GET. */
  signal_id: string | null;
  signal_sequence: number | null;
}

/** A capacity signal that must still be its executor's newest. */
export interface ClaimingSignal {
  id: string;
  sub: string;
  executor: string;
}

/** A claim key that must not be bound yet. */
export interface ClaimingKey {
  waiter: number;
  sub: string;
  executor: string;
  claim_key: string;
}

export interface ClaimRequest {
  slots: readonly Slot[];
  signals: readonly ClaimingSignal[];
  /** Of the waiters with slots, and of others that want to know. */
  keys: readonly ClaimingKey[];
  kind: ScopeKind;
  spans: readonly Span[];
}

export interface ClaimedTask extends Task {
  dispatch_id: string;
  agent_type_version_id: string;
  note_count: number;
}

export interface ClaimOutcome {
  /** In queue order. */
  claimed: ClaimedTask[];
  /** How many slots were asked for: those whose claim key was free and whose signal is its executor's newest. */
  asked: number;
  /** It found fewer. */
  isShort: boolean;
  /** It is short because other claims or changes held places at this moment. */
  isContended: boolean;
  /** Waiters whose claim key is bound already: they got nothing here. */
  bound: number[];
  /** Signals that a newer one of the same executor has followed: they got nothing. */
  superseded: string[];
  /** Signals whose executor's row somebody held at this moment: they were passed over. */
  passedOver: string[];
}

interface Found {
  seen: number;
  asked: number;
  bound: number[] | null;
  superseded: string[] | null;
  current: string[] | null;
}

/** An answer holds about so much text; a single hand-over may hold more (D-19). */
export const maxAnswerBytes = 8 * 1024 * 1024;
/** So few hand-overs fit, whatever their text: only notes of nothing but emoji could make them more. */
const slotsThatFit = 3;

const largestShare = (slots: readonly Slot[]): number =>
  Math.max(...slots.map(({ claim_ordinal }) => claim_ordinal + 1));

/**
 * The places in `numbered` up to the first whose text does not fit into its waiter's answer: whatever is behind it waits
 * for the next claim, for it must not be handed over before it. Nobody's first is behind it, as slots go in rounds.
 */
const fitting = (sql: Sql) => sql`
  select priority, queue_seq, slot from (
    select measured.*, bool_or(ordinal > 1 and bytes > ${maxAnswerBytes}) over (order by place) as is_behind
    from (
      select numbered.*, row_number() over share as ordinal, sum(text.bytes) over share as bytes
      from numbered
      cross join lateral (
        select octet_length(t.prompt) + coalesce(octet_length(t.result), 0) + octet_length(a.body)
          + case when t.note_count = 0 then 0 else (select sum(octet_length(text)) from ${latestNotes(sql)}) end as bytes
        from tasks t join agent_types a on a.id = t.agent_type_id where t.id = numbered.task_id
      ) text
      window share as (partition by slot -> 'waiter' order by place)
    ) measured
  ) sized
  where not is_behind
`;

/** The waiters whose key is bound. Limited, so that each key is looked up by the index and never the other way round. */
export const boundWaiters = (sql: Sql, keys: readonly ClaimingKey[]) => sql`
  select key.waiter
  from jsonb_to_recordset(${sql.json(keys as never)}) as key (waiter int, sub text, executor text, claim_key text)
  cross join lateral (
    select from dispatches d
    where d.actor ->> 'sub' = key.sub and d.executor = key.executor and d.claim_key = key.claim_key limit 1
  ) known
`;

/** The slots that may be filled: their claim key is not bound yet, their signal is its executor's newest. */
const guardedSlots = (sql: Sql, { slots, signals, keys }: ClaimRequest) => sql`
  signal as (
    select * from unnest(
      ${signals.map(({ id }) => id)}::uuid[], ${signals.map(({ sub }) => sub)}::text[],
      ${signals.map(({ executor }) => executor)}::text[]
    ) as signal (id, sub, executor)
  ), current as materialized (
    select e.signal_id from signal join executors e on e.sub = signal.sub and e.executor = signal.executor
    where e.signal_id = signal.id for share of e skip locked
  ), bound as materialized (${boundWaiters(sql, keys)}), valid as materialized (
    select coalesce(jsonb_agg(slot order by ordinality), '[]') as slots
    from jsonb_array_elements(${sql.json(slots as never)}) with ordinality as asked (slot, ordinality)
    where (slot ->> 'signal_id' is null or (slot ->> 'signal_id')::uuid in (select signal_id from current))
      and (slot ->> 'waiter')::int not in (select waiter from bound)
  )
`;

const guardFindings = (sql: Sql) => sql`
  (select array_agg(waiter) from bound) as bound,
  (select array_agg(signal.id) from signal join executors e on e.sub = signal.sub and e.executor = signal.executor
    where e.signal_id <> signal.id) as superseded,
  (select array_agg(signal_id) from current) as current
`;

/** Where no waiter has a key or a signal there is nothing to look at: a plan of half the size. */
const unguardedSlots = (sql: Sql, { slots }: ClaimRequest) =>
  sql`valid as materialized (select ${sql.json(slots as never)}::jsonb as slots)`;

const noFindings = (sql: Sql) => sql`null as bound, null as superseded, null as current`;

/** What rollups need, they take from the event: by the time it is folded the task may be gone. */
const waitedMs = (sql: Sql) => sql`greatest((extract(epoch from now() - queued_at) * 1000)::bigint, 0)`;

/**
 * Fills `slots` in order with the first tasks that the scopes hold and nobody else is changing or claiming.
 * Locks executors, then ready, then tasks; only the places taken are locked, since a claim that found others
 * locked would go away empty. Fails with a unique violation on `dispatches_claim_key` when a key was bound at
 * the same moment elsewhere; then nothing was claimed.
 */
export const claimTasks = async (
  sql: Sql,
  request: ClaimRequest,
  headSize: HeadSize = headSizeFor(request.slots.length),
): Promise<ClaimOutcome> => {
  const { slots, signals, keys, kind, spans } = request;
  const isGuarded = signals.length > 0 || keys.length > 0;
  const rows = await sql<(ClaimedTask & Found & { id: string | null })[]>`
    with ${isGuarded ? guardedSlots(sql, request) : unguardedSlots(sql, request)},
    candidate as materialized (${queueHead(sql, spans, kind, headSize)}
    ), head as materialized (
      select place.priority, place.queue_seq, place.task_id
      from candidate join ready place on place.priority = candidate.priority and place.queue_seq = candidate.queue_seq
      order by place.priority, place.queue_seq
      limit (select jsonb_array_length(slots) from valid) for update of place skip locked
    ), numbered as (
      select head.*, (select slots from valid) -> (place - 1)::int as slot
      from (select *, row_number() over (order by priority, queue_seq) as place from head) head
    ), taken as (
      delete from ready using (
        ${largestShare(slots) > slotsThatFit ? fitting(sql) : sql`select priority, queue_seq, slot from numbered`}
      ) kept
      where ready.priority = kept.priority and ready.queue_seq = kept.queue_seq
      returning ready.task_id, kept.slot
    ), task as (
      update tasks t
      set state = 'dispatched', dispatch_count = dispatch_count + 1, current_dispatch_id = (slot ->> 'dispatch_id')::uuid,
        executor = slot ->> 'executor', dispatched_at = now(), dispatch_ended_at = null, updated_at = now(),
        version = version + 1
      from taken where t.id = taken.task_id
      returning t.*, taken.slot
    ), dispatch as (
      insert into dispatches (id, task_id, organization_id, agent_type_id, agent_type_version_id, queue_seq, executor, actor,
        claim_key, claim_ordinal, signal_id, signal_sequence, attempt, lease_seconds, lease_expires_at)
      select t.current_dispatch_id, t.id, t.organization_id, t.agent_type_id, a.version_id, t.queue_seq, t.executor,
        slot -> 'actor', slot ->> 'claim_key', (slot ->> 'claim_ordinal')::int, (slot ->> 'signal_id')::uuid,
        (slot ->> 'signal_sequence')::bigint, t.dispatch_count, (slot ->> 'lease_seconds')::int,
        now() + make_interval(secs => (slot ->> 'lease_seconds')::int)
      from task t join agent_types a on a.id = t.agent_type_id
    ), event as (
      insert into events (type, organization_id, task_id, actor, data)
      select 'task.dispatched', organization_id, id, slot -> 'actor',
        jsonb_build_object('dispatch_id', current_dispatch_id, 'executor', executor, 'attempt', dispatch_count,
          'agent_type_id', agent_type_id, 'root_id', root_id, 'waited_ms', ${waitedMs(sql)})
      from task
    ), move as (${writeMoves(sql, sql`task`, { queued: sql`-count(*)`, live: sql`count(*)` })})
    select (select count(*) from candidate)::int as seen, (select jsonb_array_length(slots) from valid) as asked,
      ${isGuarded ? guardFindings(sql) : noFindings(sql)}, handed.*
    from (values (0)) as always
    left join (
      select ${taskColumns(sql)}, t.current_dispatch_id as dispatch_id, a.version_id as agent_type_version_id, t.queue_seq,
        t.note_count
      from task t ${taskJoins(sql)}
    ) handed on true
    order by -handed.priority, handed.queue_seq
  `;
  const [{ seen = 0, asked = 0, bound, superseded, current } = {}] = rows;
  const known = new Set([...(superseded ?? []), ...(current ?? [])]);
  // What a row holds besides the task is not copied off: answers drop what they do not declare.
  const claimed = rows.filter(({ id }) => id !== null);
  const isHeld = claimed.length < asked && seen === headSize && headSize !== largestHead;
  if (isHeld && claimed.length === 0) return claimTasks(sql, request, largestHead);
  // Behind a head that others hold there may be more: who got nothing yet asks again.
  const isShort = claimed.length < asked && !isHeld;
  return {
    claimed,
    asked,
    isShort,
    isContended: isShort && seen > claimed.length,
    bound: bound ?? [],
    superseded: superseded ?? [],
    passedOver: signals.flatMap(({ id }) => (known.has(id) ? [] : [id])),
  };
};
