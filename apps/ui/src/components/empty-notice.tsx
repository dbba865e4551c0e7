// An empty list: one sentence why, one thing to do.
import { EmptyState } from "@mantine/core";
import type { ReactNode } from "react";

interface EmptyNoticeProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

export const EmptyNotice = ({ icon, title, children, action }: EmptyNoticeProps) => (
  <EmptyState icon={icon} title={title} description={children} withIndicatorBackground py="xl" maw={520} mx="auto">
    {action && <EmptyState.Actions>{action}</EmptyState.Actions>}
  </EmptyState>
);
