// The list as it stands on screen while it changes underneath: rows in view keep their places, rows that left stay as such,
// new ones wait; all that is out of view is as it is.
import type { TaskSummary } from "@task-service/contract";
import type { SparseRows } from "./sparse-rows.ts";

export interface ShownRow {
  /** Undefined while it is not read. */
  task: TaskSummary | undefined;
  /** Its index in the true list; null if it is not there any more. */
  index: number | null;
}

/** The true list, but for one stretch: instead of `from` to before `to` it shows `held`. */
export interface Arrangement {
  live: SparseRows;
  from: number;
  to: number;
  held: readonly (ShownRow & { task: TaskSummary })[];
}

/** Indexes on screen, both included. */
export interface View {
  first: number;
  last: number;
}

export const asItIs = (live: SparseRows): Arrangement => ({ live, from: 0, to: 0, held: [] });

export const shownCount = ({ live, from, to, held }: Arrangement): number => live.total - (to - from) + held.length;

/** The row that stands at `index` on screen. What changed of a held one shows at once. */
export const rowAt = ({ live, from, to, held }: Arrangement, index: number): ShownRow => {
  const kept = index >= from ? held[index - from] : undefined;
  if (kept) return { ...kept, task: (kept.index === null ? undefined : live.rows.get(kept.index)) ?? kept.task };
  const trueIndex = index < from ? index : index - held.length - from + to;
  return { task: live.rows.get(trueIndex), index: trueIndex };
};

/** How many rows wait to be shown among those in view. */
export const waitingCount = ({ from, to, held }: Arrangement): number =>
  to - from - held.filter(({ index }) => index !== null).length;

/** Shown, but not there any more. */
export const goneTasks = ({ held }: Arrangement): TaskSummary[] =>
  held.filter(({ index }) => index === null).map(({ task }) => task);

/** The longest part of `values` that ascends, the rest as null: what it leaves out has moved. */
export const ascending = (values: readonly (number | null)[]): (number | null)[] => {
  const lengths: number[] = [];
  const before: number[] = [];
  let best = -1;
  for (const [at, value] of values.entries()) {
    let length = 0;
    let previous = -1;
    for (let i = 0; value !== null && i < at; i++) {
      if (values[i] === null || (values[i] as number) >= value || (lengths[i] ?? 0) <= length) continue;
      length = lengths[i] ?? 0;
      previous = i;
    }
    lengths.push(value === null ? 0 : length + 1);
    before.push(previous);
    if (value !== null && (best < 0 || length + 1 > (lengths[best] ?? 0))) best = at;
  }
  const kept = new Set<number>();
  for (let at = best; at >= 0; at = before[at] ?? -1) kept.add(at);
  return values.map((value, at) => (kept.has(at) ? value : null));
};

interface Placed {
  row: ShownRow & { task: TaskSummary };
  at: number;
}

/** The rows in view that are read, up to the first gap. */
const rowsInView = (shown: Arrangement, { first, last }: View): Placed[] => {
  const rows: Placed[] = [];
  for (let at = first; at <= last; at++) {
    const { task, index } = rowAt(shown, at);
    if (task) rows.push({ row: { task, index }, at });
    else if (rows.length > 0) break;
  }
  return rows;
};

const reach = 400;

/** Where a stretch stands of which nothing is left: beside its nearest neighbour that is still there. */
const placeBeside = (shown: Arrangement, places: ReadonlyMap<string, number>, first: number, last: number): number => {
  for (let step = 1; step <= reach; step++) {
    const above = places.get(rowAt(shown, first - step).task?.id ?? "");
    if (above !== undefined) return above + 1;
    const below = places.get(rowAt(shown, last + step).task?.id ?? "");
    if (below !== undefined) return below;
  }
  return first;
};

export interface Settled {
  next: Arrangement;
  /** By how many rows the first row in view stands lower than before: so far the screen has to follow. */
  shift: number;
}

/** Takes in that the list is now `live`. `isHeld` keeps what is in view; else only the first row in view keeps its place. */
export const settle = (shown: Arrangement, live: SparseRows, view: View, isHeld: boolean): Settled => {
  const inView = rowsInView(shown, view);
  const [first] = inView;
  const last = inView.at(-1);
  if (!first || !last) return { next: asItIs(live), shift: 0 };
  const places = new Map<string, number>();
  for (const [index, { id }] of live.rows) places.set(id, index);
  const kept = ascending(inView.map(({ row }) => places.get(row.task.id) ?? null));
  const isAtTop = first.at === 0;
  if (!isHeld) {
    const anchor = kept.findIndex((index) => index !== null);
    const placed = inView[anchor];
    return { next: asItIs(live), shift: isAtTop || !placed ? 0 : (kept[anchor] ?? 0) - placed.at };
  }
  const there = kept.filter((index) => index !== null);
  const beside = isAtTop ? 0 : Math.min(placeBeside(shown, places, first.at, last.at), live.total);
  const from = isAtTop ? 0 : (there[0] ?? beside);
  const to = (there.at(-1) ?? beside - 1) + 1;
  const held = inView.map(({ row }, at) => ({ task: row.task, index: kept[at] ?? null }));
  // Nothing left and nothing came: it is the list itself.
  const isPlain = waitingCount({ live, from, to, held }) === 0 && there.length === held.length;
  return { next: isPlain ? asItIs(live) : { live, from, to, held }, shift: from - first.at };
};

/** Whether all rows in view are read, as far as they are in the list. */
export const isCovered = (shown: Arrangement, live: SparseRows, { first, last }: View): boolean => {
  for (let at = first; at <= last; at++) {
    const { index } = rowAt(shown, at);
    if (index !== null && index < live.total && !live.rows.has(index)) return false;
  }
  return true;
};
