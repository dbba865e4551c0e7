// The files that a synchronization refused or warned about, each with its line and reason.
import { Alert, List, Text } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import type { SyncFinding } from "@task-service/contract";

interface SyncFindingsProps {
  title: string;
  findings: readonly SyncFinding[];
  isError?: boolean;
}

export const SyncFindings = ({ title, findings, isError = false }: SyncFindingsProps) =>
  findings.length === 0 ? null : (
    <Alert color={isError ? "red" : "yellow"} icon={isError ? <IconAlertTriangle /> : <IconInfoCircle />} title={title}>
      <List size="sm" spacing={2}>
        {findings.map(({ path, line, detail }) => (
          <List.Item key={`${path}:${line}:${detail}`}>
            <Text span fw={600}>
              {path}
              {line !== null && `, line ${line}`}
            </Text>
            : {detail}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
