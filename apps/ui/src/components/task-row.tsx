// One task in a list: what comes first to the eye is its title, the rest stands in columns.
import { useRouter } from "@tanstack/react-router";
import type { TaskSummary } from "@task-service/contract";
import { type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { isGitLinked } from "../lib/git-words.ts";
import { initials } from "../lib/initials.ts";
import { AssigneeMark } from "./assignee-mark.tsx";
import { GitMark } from "./git-mark.tsx";
import { PriorityMark } from "./priority-mark.tsx";
import classes from "./task-row.module.css";

export interface TaskRowProps {
  task: TaskSummary;
  /** What stands before the row: its position in the queue. */
  lead?: ReactNode;
  /** What stands at its end: its age, or who has it. */
  children: ReactNode;
  /** The row that the keys act on: it takes the focus. */
  isCurrent?: boolean;
  isSelected?: boolean;
  /** The row has a check box; `isRange` with Shift. */
  onSelect?: (id: string, isRange: boolean) => void;
  /** Its preview is open. */
  isOpen?: boolean;
  /** A click on the title, which goes to the task unless this prevents it. */
  onOpen?: (id: string, event: MouseEvent) => void;
  /** What can be done with it, at its end. */
  actions?: ReactNode;
  /** Why it is not here any more: the row is dimmed. */
  gone?: ReactNode;
}

/** More of them would take the room of the title. */
const maxLabels = 2;

export const TaskRow = (props: TaskRowProps) => {
  const { task, lead, children, isCurrent = false, isSelected = false, isOpen = false, gone } = props;
  const { id, title, labels, created_by, organization_slug } = task;
  const link = useRef<HTMLAnchorElement>(null);
  const router = useRouter();
  // The router's own link costs as much as all the rest of a row.
  const follow = (event: MouseEvent) => {
    props.onOpen?.(id, event);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to: "/tasks/$id", params: { id } });
  };
  useEffect(() => {
    if (isCurrent) link.current?.focus({ preventScroll: true });
  }, [isCurrent]);
  return (
    <div
      className={classes.row}
      data-selected={isSelected || undefined}
      data-open={isOpen || undefined}
      data-gone={gone !== undefined || undefined}
    >
      {props.onSelect && (
        <input
          type="checkbox"
          className={classes.check}
          tabIndex={isCurrent ? 0 : -1}
          aria-label={`Select ${title}`}
          checked={isSelected}
          onChange={() => undefined}
          onClick={(event) => props.onSelect?.(id, event.shiftKey)}
        />
      )}
      {lead !== undefined && <span className={classes.lead}>{lead}</span>}
      <span className={classes.priority}>
        <PriorityMark priority={task.priority} />
      </span>
      <span className={classes.title}>
        <a ref={link} href={`/tasks/${id}`} className={classes.link} onClick={follow}>
          <bdi>{title}</bdi>
        </a>
        {isGitLinked(task) && <GitMark task={task} />}
        {labels.slice(0, maxLabels).map((label) => (
          <bdi key={label} className={classes.label} title={label}>
            {label}
          </bdi>
        ))}
        {labels.length > maxLabels && (
          <span className={classes.label} title={labels.slice(maxLabels).join(", ")}>
            +{labels.length - maxLabels}
          </span>
        )}
      </span>
      <span className={classes.agent}>
        <AssigneeMark task={task} />
      </span>
      <span className={classes.organization} title={organization_slug}>
        {organization_slug}
      </span>
      <span className={classes.creator} title={`Created by ${created_by.name}`}>
        <span className={classes.initials} aria-hidden>
          {initials(created_by.name)}
        </span>
        <bdi>{created_by.name}</bdi>
      </span>
      <span className={classes.end}>{gone ?? children}</span>
      {props.actions !== undefined && <span className={classes.actions}>{props.actions}</span>}
    </div>
  );
};
