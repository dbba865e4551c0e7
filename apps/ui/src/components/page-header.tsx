// The head of a screen: its title (also the window's), its few numbers, its one main action.
import { Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { InHeader } from "./header-place.tsx";

interface PageHeaderProps {
  title: string;
  /** The few numbers that matter here, as one line. */
  numbers?: ReactNode;
  action?: ReactNode;
}

export const PageHeader = ({ title, numbers, action }: PageHeaderProps) => {
  useDocumentTitle(`${title} · Tasks`);
  return (
    <>
      <InHeader place="title">
        <Title order={1} tabIndex={-1}>
          {title}
        </Title>
        <Text c="dimmed" size="sm" mih="1.55em" component="div" className="tabular">
          {numbers}
        </Text>
      </InHeader>
      <InHeader place="action">{action}</InHeader>
    </>
  );
};
