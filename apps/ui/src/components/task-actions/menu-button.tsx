// The button at the end of a row that its actions hang on.
import { ActionIcon } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import classes from "./task-actions.module.css";
import type { ActionTask } from "./task-actions.ts";

export const MenuButton = ({ task, ...props }: { task: ActionTask } & ComponentProps<"button">) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    className={classes.menuButton ?? ""}
    {...(props as object)}
    aria-label={`Actions for ${task.title}`}
  >
    <IconDots size={16} aria-hidden />
  </ActionIcon>
);
