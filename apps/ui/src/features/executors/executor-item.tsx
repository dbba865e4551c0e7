// One executor: what it does, for whom, since when it was heard, and the tasks it holds.
import { Anchor, Text } from "@mantine/core";
import { IconClockPause, IconHourglass, IconPlayerPlayFilled } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Executor, TaskSummary } from "@task-service/contract";
import { RelativeTime } from "../../components/relative-time.tsx";
import { TasksLink } from "../../components/tasks-link.tsx";
import { countOf } from "../../lib/number-words.ts";
import { servesWord, slotsWord, standingOf, standingWord } from "./executor-words.ts";
import classes from "./executors-page.module.css";

interface ExecutorItemProps {
  executor: Executor;
  /** Of the tasks that are read, those it holds. */
  tasks: readonly TaskSummary[];
}

const icons = { working: IconPlayerPlayFilled, waiting: IconHourglass, quiet: IconClockPause };

export const ExecutorItem = ({ executor, tasks }: ExecutorItemProps) => {
  const standing = standingOf(executor);
  const Icon = icons[standing];
  const moreCount = executor.live_dispatches - tasks.length;
  return (
    <li className={classes.executor} aria-label={executor.executor}>
      <div className={classes.who}>
        <Text fw={600} component="h2" className={classes.name ?? ""}>
          <bdi>{executor.executor}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          by <bdi>{executor.actor.name}</bdi>
        </Text>
      </div>
      <div className={classes.standing} data-standing={standing}>
        <Icon size={16} aria-hidden />
        <div>
          {standingWord(executor)}
          <Text size="xs" c="dimmed">
            {slotsWord(executor)}
          </Text>
        </div>
      </div>
      <div className={classes.serves}>
        <Text size="xs" c="dimmed">
          Serves
        </Text>
        <bdi>{servesWord(executor)}</bdi>
      </div>
      <div className={classes.signal}>
        <Text size="xs" c="dimmed">
          Last signal
        </Text>
        <RelativeTime at={executor.last_signal_at} />
      </div>
      {executor.live_dispatches > 0 && (
        <ul className={classes.tasks} aria-label={`Tasks of ${executor.executor}`}>
          {tasks.map((task) => (
            <li key={task.id}>
              <Anchor
                className={classes.task ?? ""}
                renderRoot={(props) => <Link to="/tasks/$id" params={{ id: task.id }} {...props} />}
              >
                <bdi>{task.title}</bdi>
              </Anchor>
              {task.dispatched_at && (
                <Text span size="xs" c="dimmed">
                  for <RelativeTime at={task.dispatched_at} isAge />
                </Text>
              )}
            </li>
          ))}
          {moreCount > 0 && (
            <li>
              <TasksLink filter={{ state: "running" }}>{countOf(moreCount, "more task")}</TasksLink>
            </li>
          )}
        </ul>
      )}
    </li>
  );
};
