// Says in plain words that an organization's repository could not be read, or only in part.
import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { Organization } from "@task-service/contract";
import { SyncFindings } from "./sync-findings.tsx";

interface SyncTroubleProps {
  organization: Organization;
  /** Without active agent types their absence is explained elsewhere. */
  hasActive: boolean;
}

export const SyncTrouble = ({ organization, hasActive }: SyncTroubleProps) => {
  const { sync } = organization;
  return (
    <>
      {sync.status === "failed" && hasActive && (
        <Alert color="red" icon={<IconAlertTriangle />} title="The repository could not be read">
          {sync.message} What was read last stays in use. It is tried again every few minutes.
        </Alert>
      )}
      <SyncFindings
        isError
        title="Refused: not in use as they are now"
        organization={organization}
        findings={sync.errors}
      />
      <SyncFindings title="Worth a look" organization={organization} findings={sync.warnings} />
    </>
  );
};
