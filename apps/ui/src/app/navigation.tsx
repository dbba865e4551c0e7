// The way to each screen: a column on the left, icons on narrower windows, a bar at the bottom of a phone.
import {
  IconBuildingCommunity,
  IconChartAreaLine,
  IconCpu,
  IconListDetails,
  IconStack2,
  IconUserCheck,
  IconUsersGroup,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import classes from "./frame.module.css";

const items = [
  { to: "/", label: "Queue", icon: IconStack2, isExact: true },
  { to: "/tasks", label: "Tasks", icon: IconListDetails, isExact: false },
  { to: "/agents", label: "Agents", icon: IconUsersGroup, isExact: false },
  { to: "/organizations", label: "Organizations", icon: IconBuildingCommunity, isExact: false },
  { to: "/executors", label: "Executors", icon: IconCpu, isExact: false },
  { to: "/insights", label: "Insights", icon: IconChartAreaLine, isExact: false },
  { to: "/respond", label: "Take a task", icon: IconUserCheck, isExact: false },
] as const;

export const Navigation = () => (
  <ul className={classes.screens}>
    {items.map(({ to, label, icon: Icon, isExact }) => (
      <li key={to}>
        <Link
          to={to}
          className={classes.item ?? ""}
          activeOptions={{ exact: isExact, includeSearch: false }}
          title={label}
        >
          <Icon size={20} stroke={1.75} aria-hidden />
          <span className={classes.label}>{label}</span>
        </Link>
      </li>
    ))}
  </ul>
);
