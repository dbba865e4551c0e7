// A page of its own for the moments without a screen: signed out, not a member, something is down, not found.
import { Center, Group, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

interface QuietPageProps {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  /** Fills the window; otherwise the space a screen has. */
  isWhole?: boolean;
}

export const QuietPage = ({ icon, title, children, actions, isWhole = false }: QuietPageProps) => {
  useDocumentTitle(`${title} · Tasks`);
  return (
    <Center component={isWhole ? "main" : "div"} mih={isWhole ? "100dvh" : "60dvh"} p="lg">
      <Stack maw={460} gap="lg">
        <ThemeIcon size={48} radius="lg" variant="light">
          {icon}
        </ThemeIcon>
        <Stack gap="xs">
          <Title order={1} size="h2" tabIndex={-1}>
            {title}
          </Title>
          <Text component="div" c="dimmed">
            {children}
          </Text>
        </Stack>
        {actions && <Group gap="sm">{actions}</Group>}
      </Stack>
    </Center>
  );
};
