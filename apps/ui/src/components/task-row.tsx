// One task in a list: what comes first to the eye is its title, the rest stands in columns.
import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { TaskSummary } from "@task-service/contract";
import { type ReactNode, useEffect, useRef } from "react";
import { isGitLinked } from "../lib/git-words.ts";
import { AssigneeMark } from "./assignee-mark.tsx";
import { GitMark } from "./git-mark.tsx";
import { PriorityMark } from "./priority-mark.tsx";
import classes from "./task-row.module.css";

interface TaskRowProps {
  task: TaskSummary;
  /** What stands before the row: its position in the queue. */
  lead?: ReactNode;
  /** What stands at its end: its age, or who has it. */
  children: ReactNode;
  isSelected?: boolean;
}

export const TaskRow = ({ task, lead, children, isSelected = false }: TaskRowProps) => {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isSelected) link.current?.focus({ preventScroll: true });
  }, [isSelected]);
  return (
    <div className={classes.row}>
      {lead !== undefined && <span className={classes.lead}>{lead}</span>}
      <span className={classes.priority}>
        <PriorityMark priority={task.priority} />
      </span>
      <span className={classes.title}>
        <Link ref={link} to="/tasks/$id" params={{ id: task.id }} className={classes.link ?? ""}>
          <bdi>{task.title}</bdi>
        </Link>
        {isGitLinked(task) && <GitMark task={task} />}
        {task.labels.map((label) => (
          <Text key={label} component="bdi" className={classes.label ?? ""}>
            {label}
          </Text>
        ))}
      </span>
      <span className={classes.agent}>
        <AssigneeMark task={task} />
      </span>
      <span className={classes.organization}>{task.organization_slug}</span>
      <span className={classes.end}>{children}</span>
    </div>
  );
};
