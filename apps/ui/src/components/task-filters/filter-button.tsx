// The button that the menu of filters opens from.
import { Button, type ButtonProps } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import type { ComponentProps } from "react";

export const FilterButton = (props: ButtonProps & Omit<ComponentProps<"button">, keyof ButtonProps>) => (
  <Button variant="default" leftSection={<IconFilter size={16} />} aria-haspopup="listbox" {...props}>
    Filter
  </Button>
);
