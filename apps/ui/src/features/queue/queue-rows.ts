// The queue as one list of lines: a heading where a band of priorities begins, and each task with its position.
import type { TaskSummary } from "@task-service/contract";
import { type PresetName, presetOf } from "../../lib/priorities.ts";

export type QueueLine =
  | { kind: "band"; name: PresetName; count: number; hasMore: boolean }
  | { kind: "task"; task: TaskSummary; position: number };

/** `tasks` in dispatch order; `hasMore` if the queue goes on behind them, so the last band's count is a part of it. */
export const queueLines = (tasks: readonly TaskSummary[], hasMore: boolean): QueueLine[] => {
  const lines: QueueLine[] = [];
  let band: Extract<QueueLine, { kind: "band" }> | undefined;
  tasks.forEach((task, index) => {
    const name = presetOf(task.priority);
    if (band?.name !== name) {
      band = { kind: "band", name, count: 0, hasMore: false };
      lines.push(band);
    }
    band.count += 1;
    lines.push({ kind: "task", task, position: index + 1 });
  });
  if (band) band.hasMore = hasMore;
  return lines;
};
