// The screens that one goes to directly: in the navigation, the palette and the list of keys.
import {
  IconBuildingCommunity,
  IconChartAreaLine,
  IconCpu,
  IconListDetails,
  IconStack2,
  IconUserCheck,
  IconUsersGroup,
} from "@tabler/icons-react";

export const screenList = [
  { to: "/", label: "Queue", keys: "g q", icon: IconStack2, isExact: true },
  { to: "/tasks", label: "Tasks", keys: "g t", icon: IconListDetails, isExact: false },
  { to: "/agents", label: "Agents", keys: "g a", icon: IconUsersGroup, isExact: false },
  { to: "/organizations", label: "Organizations", keys: "g o", icon: IconBuildingCommunity, isExact: false },
  { to: "/executors", label: "Executors", keys: "g e", icon: IconCpu, isExact: false },
  { to: "/insights", label: "Insights", keys: "g i", icon: IconChartAreaLine, isExact: false },
  { to: "/respond", label: "Take a task", keys: "g r", icon: IconUserCheck, isExact: false },
] as const;

/** As many fit into the bar of a phone; the others are behind "More". */
export const barCount = 3;
