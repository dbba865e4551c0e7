// Where claims look: the first places of the queue that a filter lets through, found without stepping over what is long gone.
import type { Sql } from "../platform/database.ts";

/** What an executor takes: everything, or tasks of an organization, or of at least one agent type. */
export interface QueueFilter {
  readonly organizationId: string | undefined;
  /** In ascending order. They belong to the organization, if that is given too. */
  readonly agentTypeIds: readonly string[] | undefined;
}

/** A part of the queue with an index of its own. */
export type ScopeKind = "everything" | "organization" | "agent type";
export interface Scope {
  readonly kind: ScopeKind;
  /** Of the organization or agent type; null for everything. */
  readonly id: string | null;
}

export const scopesOf = ({ organizationId, agentTypeIds }: QueueFilter): Scope[] => {
  if (agentTypeIds) return agentTypeIds.map((id) => ({ kind: "agent type", id }));
  return [
    organizationId === undefined ? { kind: "everything", id: null } : { kind: "organization", id: organizationId },
  ];
};

/** A stretch of a scope in queue order: from a place on, up to a priority. Priorities are negated, as in `ready`. */
export interface Span {
  readonly scope: string | null;
  readonly fromPriority: number;
  readonly fromSeq: number;
  readonly untilPriority: number;
}

/** How many places are looked at, so that those other claims hold at the moment do not hide what is behind them. */
export type HeadSize = 64 | 256 | 1024;

export const largestHead: HeadSize = 1024;

export const headSizeFor = (slots: number): HeadSize => {
  if (slots <= 16) return 64;
  return slots <= 128 ? 256 : 1024;
};

/** Priorities of `ready` lie from this one up to, not including, the next. */
export const lowestPriority = -32_767;
export const abovePriorities = 32_769;

/**
 * The key by which a scope is read: `column` and `scope` begin a row of columns of `r`, a row of ready, and of values
 * of `stretch`. Compared and ordered as whole rows, because only the scope's own index can serve that: with an equality
 * beside a range, a plan made for other contents of the queue may walk another index and step over everybody else's.
 */
export const keyOf = (sql: Sql, kind: ScopeKind) => {
  if (kind === "everything") return { column: sql``, scope: sql`` };
  return {
    column: kind === "organization" ? sql`r.organization_id,` : sql`r.agent_type_id,`,
    scope: sql`stretch.scope,`,
  };
};

// A literal, not a parameter: a plan made for any limit expects a tenth of the table and reads it whole.
const limit = (sql: Sql, size: HeadSize) => ({ 64: sql`limit 64`, 256: sql`limit 256`, 1024: sql`limit 1024` })[size];

/**
 * The first `size` places of the scopes in queue order, as (priority, queue_seq). Each scope is read by its own index
 * in order, where `= any()` would scan and sort. `spans`, ascending within a scope, leave out stretches where nothing
 * brand new can stand any more (see low-marks.ts); what came back or moved is looked at everywhere.
 */
export const queueHead = (sql: Sql, spans: readonly Span[], kind: ScopeKind, size: HeadSize) => {
  const scopes = [...new Set(spans.map(({ scope }) => scope))];
  const { column, scope } = keyOf(sql, kind);
  return sql`
    select priority, queue_seq from (
      (
        select fresh.priority, fresh.queue_seq
        from unnest(
          ${spans.map((span) => span.scope)}::uuid[], ${spans.map(({ fromPriority }) => fromPriority)}::int[],
          ${spans.map(({ fromSeq }) => fromSeq)}::bigint[], ${spans.map(({ untilPriority }) => untilPriority)}::int[]
        ) as stretch (scope, from_priority, from_seq, until_priority)
        cross join lateral (
          select r.priority, r.queue_seq from ready r
          where (${column} r.priority, r.queue_seq) >= (${scope} stretch.from_priority, stretch.from_seq)
            and (${column} r.priority) < (${scope} stretch.until_priority)
          order by ${column} r.priority, r.queue_seq ${limit(sql, size)}
        ) fresh
        ${scopes.length === 1 ? limit(sql, size) : sql``}
      )
      union
      select back.priority, back.queue_seq from unnest(${scopes}::uuid[]) as stretch (scope)
      cross join lateral (
        select r.priority, r.queue_seq from ready r
        where r.returned and (${column} r.priority) >= (${scope} ${lowestPriority})
          and (${column} r.priority) < (${scope} ${abovePriorities})
        order by ${column} r.priority, r.queue_seq ${limit(sql, size)}
      ) back
    ) place
    order by priority, queue_seq ${limit(sql, size)}
  `;
};

/** What one line of waiters would have to look at. */
export interface WaitingLine {
  kind: ScopeKind;
  spans: readonly Span[];
}

const ofKind = (sql: Sql, lines: readonly WaitingLine[], kind: ScopeKind) => {
  const stretches = lines.flatMap((line, number) =>
    line.kind === kind ? line.spans.map((span) => ({ ...span, number })) : [],
  );
  const { column, scope } = keyOf(sql, kind);
  return sql`
    select stretch.line, place.queue_seq from unnest(
      ${stretches.map(({ number }) => number)}::int[], ${stretches.map((stretch) => stretch.scope)}::uuid[],
      ${stretches.map(({ fromPriority }) => fromPriority)}::int[], ${stretches.map(({ fromSeq }) => fromSeq)}::bigint[],
      ${stretches.map(({ untilPriority }) => untilPriority)}::int[]
    ) as stretch (line, scope, from_priority, from_seq, until_priority)
    cross join lateral (
      (
        select r.queue_seq from ready r
        where (${column} r.priority, r.queue_seq) >= (${scope} stretch.from_priority, stretch.from_seq)
          and (${column} r.priority) < (${scope} stretch.until_priority)
        order by ${column} r.priority, r.queue_seq limit ${countedPlaces}
      )
      union all
      (
        select r.queue_seq from ready r
        where r.returned and (${column} r.priority) >= (${scope} stretch.from_priority)
          and (${column} r.priority, r.queue_seq) < (${scope} stretch.from_priority, stretch.from_seq)
        order by ${column} r.priority, r.queue_seq limit ${countedPlaces}
      )
    ) place
  `;
};

/** Counts go so far for each stretch: enough to tell how many waiters to wake. */
const countedPlaces = 100;

/** How many tasks wait for each of the lines, in their order: counted to about a hundred, held by somebody or not. */
export const countWaiting = async (sql: Sql, lines: readonly WaitingLine[]): Promise<number[]> => {
  const rows = await sql<{ line: number; waiting: number }[]>`
    select line, count(*)::int as waiting from (
      ${ofKind(sql, lines, "everything")} union all ${ofKind(sql, lines, "organization")}
      union all ${ofKind(sql, lines, "agent type")}
    ) found group by line
  `;
  const waiting = new Map(rows.map((row) => [row.line, row.waiting]));
  return lines.map((_, number) => waiting.get(number) ?? 0);
};
