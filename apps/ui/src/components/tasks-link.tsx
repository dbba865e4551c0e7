// A link to the list of all tasks, narrowed to those that a number or a chart speaks of.
import { Anchor, type AnchorProps } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** What the list is narrowed to, as its address says it. */
export interface TasksFilter {
  state?: "queued" | "dispatched";
  live?: boolean;
  organization?: string;
  /** `<organization>/<slug>` of an agent type. */
  assignee?: string;
  needs_attention?: boolean;
}

interface TasksLinkProps extends AnchorProps {
  filter: TasksFilter;
  children: ReactNode;
  "aria-label"?: string;
}

export const TasksLink = ({ filter, children, ...anchor }: TasksLinkProps) => (
  <Anchor {...anchor} renderRoot={(props) => <Link to="/tasks" search={filter} {...props} />}>
    {children}
  </Anchor>
);
