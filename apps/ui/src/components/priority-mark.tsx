// A priority as its band's icon and its number; colour only underlines what the two already say.
import { IconChevronDown, IconChevronsUp, IconChevronUp, IconEqual } from "@tabler/icons-react";
import { type PresetName, presetOf } from "../lib/priorities.ts";
import classes from "./marks.module.css";

const marks = {
  Urgent: { icon: IconChevronsUp, color: "var(--mantine-color-red-text)" },
  High: { icon: IconChevronUp, color: "var(--mantine-color-orange-text)" },
  Normal: { icon: IconEqual, color: "var(--mantine-color-dimmed)" },
  Low: { icon: IconChevronDown, color: "var(--mantine-color-dimmed)" },
} as const;

export const PresetIcon = ({ name }: { name: PresetName }) => {
  const { icon: Icon, color } = marks[name];
  return <Icon size={16} stroke={2.5} color={color} aria-hidden style={{ flex: "none" }} />;
};

export const PriorityMark = ({ priority }: { priority: number }) => {
  const name = presetOf(priority);
  return (
    <span
      className={classes.priority}
      title={`${name} priority`}
      aria-label={`Priority ${priority}, ${name}`}
      role="img"
    >
      <PresetIcon name={name} />
      {priority}
    </span>
  );
};
