// The specification's message where an organization has no agent types: which repository to create to add some.
import { Anchor, Button, Code, List, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import type { Organization } from "@task-service/contract";

interface NoAgentTypesProps {
  organization: Organization;
  onSync: () => void;
  isSyncing: boolean;
}

export const NoAgentTypes = ({ organization, onSync, isSyncing }: NoAgentTypesProps) => {
  const { name, slug, agents_repo_effective_url: url, sync } = organization;
  const isMissing = sync.status === "not_configured" || sync.status === "never";
  return (
    <Stack gap="sm" align="flex-start" maw={640}>
      <Text fw={600}>No agent types are configured for {name}.</Text>
      {isMissing ? (
        <>
          <Text>
            The repository must be created to add some: create <Code>{url.split("/").at(-1)}</Code> under{" "}
            <Code>{url.split("/").at(-2) ?? slug}</Code> on the git host.
          </Text>
          <List type="ordered" spacing={4}>
            <List.Item>
              Create the repository. Its address will be{" "}
              <Anchor href={url} target="_blank" rel="noreferrer" style={{ overflowWrap: "anywhere" }}>
                {url}
              </Anchor>
            </List.Item>
            <List.Item>
              Put one file per persona into it: <Code>personas/&lt;slug&gt;.md</Code>, with <Code>name</Code> and{" "}
              <Code>description</Code> in its frontmatter, and how the agent works below.
            </List.Item>
            <List.Item>Press “Sync now”. Otherwise the service looks again by itself every few minutes.</List.Item>
          </List>
        </>
      ) : sync.status === "failed" ? (
        <Text>Its repository could not be read: {sync.message} It is tried again every few minutes.</Text>
      ) : (
        <Text>
          {sync.status === "partial" ? "Its persona files were refused." : "Its repository has no personas yet."} Add
          files as <Code>personas/&lt;slug&gt;.md</Code> to{" "}
          <Anchor href={url} target="_blank" rel="noreferrer" style={{ overflowWrap: "anywhere" }}>
            {url}
          </Anchor>
          .
        </Text>
      )}
      <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={onSync} loading={isSyncing}>
        Sync now
      </Button>
    </Stack>
  );
};
