// The head of a screen: its title (also the window's), its few numbers, its one main action.
import { Box, Group, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

interface PageHeaderProps {
  title: string;
  /** The few numbers that matter here, as one line. */
  numbers?: ReactNode;
  action?: ReactNode;
}

export const PageHeader = ({ title, numbers, action }: PageHeaderProps) => {
  useDocumentTitle(`${title} · Tasks`);
  return (
    <Group component="div" justify="space-between" align="flex-start" wrap="nowrap" mb="lg" gap="md">
      <div>
        <Title order={1} tabIndex={-1}>
          {title}
        </Title>
        <Text c="dimmed" mih="1.55em" component="div">
          {numbers}
        </Text>
      </div>
      <Box flex="none">{action}</Box>
    </Group>
  );
};
