// A link to the list of all tasks, narrowed to those that a number or a chart speaks of.
import { Anchor, type AnchorProps } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { searchFromFilters, type TaskFilterValues } from "../lib/task-filters.ts";

interface TasksLinkProps extends AnchorProps {
  filter: TaskFilterValues;
  children: ReactNode;
  "aria-label"?: string;
}

export const TasksLink = ({ filter, children, ...anchor }: TasksLinkProps) => (
  <Anchor {...anchor} renderRoot={(props) => <Link to="/tasks" search={searchFromFilters(filter)} {...props} />}>
    {children}
  </Anchor>
);
