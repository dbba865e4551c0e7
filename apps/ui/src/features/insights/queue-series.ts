// The queue over time, summed up by priority band; where nobody looked there is nothing to draw.
import type { HistoryPoint } from "@task-service/contract";
import { type PresetName, presetOf, presets } from "../../lib/priorities.ts";

export type DepthRow = { at: string; queued: number | null } & Record<PresetName, number | null>;

const sumOf = ({ by_priority }: HistoryPoint, band: PresetName): number | null =>
  by_priority?.reduce((sum, { priority, queued }) => sum + (presetOf(priority) === band ? queued : 0), 0) ?? null;

export const depthRows = (history: readonly HistoryPoint[]): DepthRow[] =>
  history.map((point) => {
    const bands = presets.map(({ name }) => [name, sumOf(point, name)] as const);
    return { at: point.at, queued: point.queued, ...(Object.fromEntries(bands) as Record<PresetName, number | null>) };
  });

/** The row with the most of `field`, and the last one in which it is known. */
export const extremes = <Row, F extends keyof Row>(rows: readonly Row[], field: F) => {
  const known = rows.filter((row) => row[field] !== null);
  const most = known.reduce<Row | undefined>(
    (best, row) => (!best || row[field] > best[field] ? row : best),
    undefined,
  );
  return { most, last: known.at(-1) };
};
