// The tasks that have left the queue: what needs a person first, then what runs, then what has ended lately.
import { Text } from "@mantine/core";
import type { TaskSummary } from "@task-service/contract";
import { maxDispatchedShown } from "../../data/task-data.ts";
import { isBeingWorkedOn } from "../../lib/task-words.ts";
import { DispatchedItem } from "./dispatched-item.tsx";
import classes from "./dispatched-panel.module.css";

const maxEnded = 25;

interface Groups {
  attention: TaskSummary[];
  running: TaskSummary[];
  ended: TaskSummary[];
}

/** Each task stands in one group, in the order given. */
export const dispatchedGroups = (tasks: readonly TaskSummary[]): Groups => ({
  attention: tasks.filter((task) => task.needs_attention),
  running: tasks.filter(isBeingWorkedOn),
  ended: tasks.filter((task) => !task.needs_attention && !isBeingWorkedOn(task)).slice(0, maxEnded),
});

/** How many a group has: what it holds is read up to a limit, and there may be more. */
export const groupCountWord = (count: number): string =>
  count < maxDispatchedShown ? String(count) : `${maxDispatchedShown}+`;

interface GroupProps {
  title: string;
  tasks: readonly TaskSummary[];
  /** All of them are shown, up to the limit, so that their number says something. */
  isWhole?: boolean;
}

const Group = ({ title, tasks, isWhole = false }: GroupProps) => (
  <section aria-label={title}>
    <h2 className={classes.heading}>
      {title} {isWhole && <span>{groupCountWord(tasks.length)}</span>}
    </h2>
    <ul className={classes.list}>
      {tasks.map((task) => (
        <DispatchedItem key={task.id} task={task} />
      ))}
    </ul>
  </section>
);

export const DispatchedPanel = ({ tasks }: { tasks: readonly TaskSummary[] }) => {
  const { attention, running, ended } = dispatchedGroups(tasks);
  return (
    <div className={classes.panel}>
      {attention.length > 0 && <Group title="Needs attention" tasks={attention} isWhole />}
      <Group title="Running" tasks={running} isWhole />
      {running.length === 0 && (
        <Text c="dimmed" size="sm" px={12} pb="sm">
          Nothing runs right now. An executor with a free slot takes the next task of the queue.
        </Text>
      )}
      {ended.length > 0 && <Group title="Recently dispatched" tasks={ended} />}
    </div>
  );
};
