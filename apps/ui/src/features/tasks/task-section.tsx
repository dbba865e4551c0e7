// A part of the task page: its heading, an action beside it, its content.
import { Group, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface TaskSectionProps {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

export const TaskSection = ({ title, action, children }: TaskSectionProps) => {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" mih={30} mb="xs">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </section>
  );
};
