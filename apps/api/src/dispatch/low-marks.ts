// Marks below which nothing brand new can stand any more, so that claims need not step over what was taken (reliability.md 5.4).
//
// While any transaction in the cluster stays open (a pg_dump, a report), PostgreSQL keeps the index entries of every
// place taken since, and each claim would step over all of them. A mark of a scope and priority is the lower of the
// first brand-new place that a plain look saw, and the last queue_seq drawn so long ago that its insert is over.
// What returns or moves is inserted as `returned` and looked up beside the marks, so they hold for it too.
import type { Sql } from "../platform/database.ts";
import { abovePriorities, keyOf, lowestPriority, type Scope, type ScopeKind, type Span } from "./queue-head.ts";

/** No insert into the queue takes so long from its queue_seq to its commit: both are under a 5 s statement timeout. */
const settledAfterMs = 15_000;
/** As a backstop every mark is forgotten so often, and begins again from the first place. */
const forgottenAfterMs = 60_000;
const maxScopes = 1000;
const maxLevels = 32;

interface Level {
  /** Of ready: negated. */
  priority: number;
  mark: number;
}

interface ScopeMarks {
  scope: Scope;
  levels: Map<number, Level>;
  isUsed: boolean;
}

export interface LowMarks {
  /** The stretches of the scopes where a claim has to look, ascending within each scope. */
  spansOf(scopes: readonly Scope[]): Span[];
  /** Tells that places of these priorities (as tasks have them) were taken from the scopes. */
  taken(scopes: readonly Scope[], priorities: Iterable<number>): void;
  /** Moves the marks of the scopes that were taken from since. Call it about once a second; a failure forgets all marks. */
  refresh(): Promise<void>;
}

const nameOf = ({ kind, id }: Scope): string => id ?? kind;

export const createLowMarks = (sql: Sql, nowMs: () => number = () => performance.now()): LowMarks => {
  const known = new Map<string, ScopeMarks>();
  let drawn: { atMs: number; seq: number }[] = [];
  let forgottenAtMs = nowMs();

  const forgetAll = (): void => {
    for (const { levels } of known.values()) for (const level of levels.values()) level.mark = 0;
    forgottenAtMs = nowMs();
  };

  /** The last queue_seq whose insert is over for certain, committed or not. */
  const settledSeq = async (): Promise<number> => {
    const [row] = await sql<
      { seq: number }[]
    >`select case when is_called then last_value else 0 end as seq from queue_seq`;
    const seq = row?.seq ?? 0;
    // Numbers drawn but never committed can be drawn again after a crash.
    if (seq < (drawn.at(-1)?.seq ?? 0)) {
      drawn = [];
      forgetAll();
    }
    drawn.push({ atMs: nowMs(), seq });
    const settled = drawn.findLastIndex(({ atMs }) => nowMs() - atMs >= settledAfterMs);
    drawn = drawn.slice(Math.max(settled, 0));
    return settled === -1 ? 0 : (drawn[0]?.seq ?? 0);
  };

  const firstPlaces = async (kind: ScopeKind, marks: readonly { id: string | null; level: Level }[]) => {
    const { column, scope } = keyOf(sql, kind);
    return sql<{ first: number | null }[]>`
      select (
        select r.queue_seq from ready r
        where (${column} r.priority, r.queue_seq) >= (${scope} stretch.priority, stretch.mark)
          and (${column} r.priority) <= (${scope} stretch.priority) and not r.returned
        order by ${column} r.priority, r.queue_seq limit 1
      ) as first
      from unnest(
        ${marks.map(({ id }) => id)}::uuid[], ${marks.map(({ level }) => level.priority)}::int[],
        ${marks.map(({ level }) => level.mark)}::bigint[]
      ) with ordinality as stretch (scope, priority, mark, ordinality)
      order by stretch.ordinality
    `;
  };

  const move = async (): Promise<void> => {
    if (nowMs() - forgottenAtMs > forgottenAfterMs) forgetAll();
    const settled = await settledSeq();
    if (settled === 0) return;
    const used = [...known.values()].filter(({ isUsed }) => isUsed);
    for (const [kind, ofKind] of Map.groupBy(used, ({ scope }) => scope.kind)) {
      const marks = ofKind.flatMap(({ scope, levels }) =>
        [...levels.values()].map((level) => ({ id: scope.id, level })),
      );
      const places = await firstPlaces(kind, marks);
      marks.forEach(({ level }, index) => {
        level.mark = Math.min(places[index]?.first ?? Number.POSITIVE_INFINITY, settled + 1);
      });
    }
    for (const scope of used) scope.isUsed = false;
  };

  return {
    spansOf: (scopes) =>
      scopes.flatMap((scope) => {
        const levels = [...(known.get(nameOf(scope))?.levels.values() ?? [])]
          .filter(({ mark }) => mark > 0)
          .toSorted((one, other) => one.priority - other.priority);
        const starts = [{ priority: lowestPriority, mark: 0 }, ...levels];
        return starts.map(({ priority, mark }, index) => ({
          scope: scope.id,
          fromPriority: priority,
          fromSeq: mark,
          untilPriority: starts[index + 1]?.priority ?? abovePriorities,
        }));
      }),

    taken: (scopes, priorities) => {
      for (const scope of scopes) {
        const name = nameOf(scope);
        const marks = known.get(name) ?? { scope, levels: new Map(), isUsed: true };
        // The most recently used scope stands last.
        known.delete(name);
        known.set(name, marks);
        marks.isUsed = true;
        for (const priority of priorities) {
          if (marks.levels.size < maxLevels && !marks.levels.has(-priority)) {
            marks.levels.set(-priority, { priority: -priority, mark: 0 });
          }
        }
      }
      for (const [name] of known) {
        if (known.size <= maxScopes) break;
        known.delete(name);
      }
    },

    refresh: async () => {
      try {
        await move();
      } catch (error) {
        drawn = [];
        forgetAll();
        throw error;
      }
    },
  };
};
