// Whether the queue kept its order, as far as the history can prove it.
import type { AckedTask } from "./executor-log.ts";
import type { HistoryEvent, HistoryTask, RunHistory } from "./run-history.ts";

export interface Inversion {
  /** A task that stood in the queue … */
  passed: string;
  /** … while these, which stood behind it, were handed over … */
  taken: string[];
  /** … to these. */
  takers: string[];
  atMs: number;
  /** From the first hand-over's commit to the beginning of the last one's transaction; 0 if there was one moment only. */
  lastsMs: number;
}

/** A task in the queue, from a moment when every claim could see it to one when no other transaction had begun to take it. */
interface Stay {
  task: HistoryTask;
  /** Of the task among all, the first one being 0. */
  rank: number;
  seenFromMs: number;
  freeUntilMs: number;
}

/** What the clocks, and events' instants of whole milliseconds, may be off by. */
const clockMs = 1;
/** Longer than a commit takes from its timestamp until others see it, also on a busy disk. */
const visibleAfterMs = 1000;

/**
 * Tasks B that were passed: some task A that stood behind B (lower priority or, within one, a later place) was handed over to an
 * executor that asked for B's agent type too. A passing is proved when
 * - B was in the queue and visible before the transaction that took A began: its creation was answered with 201 before that,
 *   or the transaction that put it there committed a second before;
 * - and the transaction that took B away next began after the one that took A was committed, so that it cannot have held
 *   B's row while A's claim looked.
 *
 * Not proved, and not found: B queued less than a moment before A's claim, or locked at that moment by a claim that took it
 * (concurrent claims pass each other by).
 *
 * A transaction that held B and was rolled back leaves no trace in a history. Where claims are rolled back (a key claimed with
 * on two replicas at once, a process killed in its claim), a passing that `lastsMs` less than a statement may take proves nothing;
 * where they are not, each one is an inversion.
 */
export const findPassings = (
  { tasks, events }: Pick<RunHistory, "tasks" | "events">,
  acked: readonly AckedTask[],
  filters: ReadonlyMap<string, readonly string[]>,
): Inversion[] => {
  const inOrder = tasks.toSorted((a, b) => b.priority - a.priority || a.queue_seq - b.queue_seq);
  const rankOf = new Map(inOrder.map(({ id }, rank) => [id, rank]));
  const stays = staysOf(inOrder, events, new Map(acked.map(({ task_id, ackedMs }) => [task_id, ackedMs])));

  const passedBy = ({ task_id, executor, beganMs, committedMs }: HistoryEvent): Stay[] => {
    const filter = filters.get(executor ?? "");
    const rank = rankOf.get(task_id) ?? 0;
    const end = stays.findIndex((stay) => stay.rank >= rank);
    return stays
      .slice(0, end)
      .filter(
        (stay) =>
          stay.seenFromMs + clockMs < beganMs &&
          stay.freeUntilMs > committedMs + clockMs &&
          (!filter || filter.includes(stay.task.agent_type_id)),
      );
  };

  const passings = events
    .filter(({ type }) => type === "task.dispatched")
    .flatMap((taking) => passedBy(taking).map((stay) => ({ stay, taking })));
  return [...Map.groupBy(passings, ({ stay }) => stay)].map(([{ task }, all]) => {
    const firstMs = Math.min(...all.map(({ taking }) => taking.committedMs));
    const lastMs = Math.max(...all.map(({ taking }) => taking.beganMs));
    return {
      passed: task.id,
      taken: all.map(({ taking }) => taking.task_id),
      takers: [...new Set(all.map(({ taking }) => taking.executor ?? ""))],
      atMs: firstMs,
      lastsMs: Math.max(lastMs - firstMs, 0),
    };
  });
};

/** Every stay of every task in the queue, those of the first task first. A return that is not followed by a hand-over, or by the end of a run, was none (D-25). */
const staysOf = (tasks: HistoryTask[], events: HistoryEvent[], ackedMs: ReadonlyMap<string, number>): Stay[] => {
  const eventsOf = Map.groupBy(events, ({ task_id }) => task_id);
  return tasks.flatMap((task, rank) => {
    const own = (eventsOf.get(task.id) ?? []).filter(({ type }) => movesTask(type));
    return own.flatMap(({ type, committedMs }, index): Stay[] => {
      const next = own[index + 1];
      const isQueued = next ? next.type === "task.dispatched" : task.is_queued;
      if (type === "task.dispatched" || !isQueued) return [];
      const byCommit = committedMs + visibleAfterMs;
      const seenFromMs = type === "task.created" ? Math.min(ackedMs.get(task.id) ?? byCommit, byCommit) : byCommit;
      return [{ task, rank, seenFromMs, freeUntilMs: next?.beganMs ?? Number.POSITIVE_INFINITY }];
    });
  });
};

const untouching = ["task.updated", "task.noted", "task.mirrored"];
const movesTask = (type: string): boolean => !untouching.includes(type);
