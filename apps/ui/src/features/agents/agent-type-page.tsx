// One agent type: its persona as it is handed to workers, and where its file is.
import { Alert, Anchor, Box, Button, Group, Paper, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconExternalLink, IconPlus, IconUserOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type AgentType, ProblemError } from "@task-service/contract";
import { AgentAvatar } from "../../components/agent-avatar.tsx";
import { InHeader } from "../../components/header-place.tsx";
import { warmMarkdown } from "../../components/markdown-part.ts";
import { MarkdownText } from "../../components/markdown-text.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { QuietPage } from "../../components/quiet-page.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { ScreenSkeleton } from "../../components/screen-skeleton.tsx";
import { agentTypeQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { shortCommit } from "../../lib/git-words.ts";
import { VersionHistory } from "./version-history.tsx";

warmMarkdown();

interface AgentTypeViewProps {
  type: AgentType;
  /** The id of the version that is open in the history. */
  version?: string;
}

const AgentTypeView = ({ type, version }: AgentTypeViewProps) => {
  useDocumentTitle(`${type.name} · Tasks`);
  return (
    <Box maw={820}>
      <InHeader place="title">
        <Group wrap="nowrap" gap="sm">
          <AgentAvatar slug={type.slug} px={44} />
          <div>
            <Title order={1} tabIndex={-1}>
              {type.name}
            </Title>
            <Text c="dimmed" size="sm" className="tabular">
              {type.organization_slug} · {type.queued_count} queued · {type.dispatched_count} running
            </Text>
          </div>
        </Group>
      </InHeader>
      <InHeader place="action">
        {type.is_active && (
          <Button
            leftSection={<IconPlus size={16} />}
            renderRoot={(props) => <Link to="/tasks/new" search={{ agent: type.id }} {...props} />}
          >
            New task
          </Button>
        )}
      </InHeader>
      {!type.is_active && (
        <Alert color="yellow" title="Inactive" mb="md">
          Its persona is no longer in the repository. Tasks that are queued for it are still dispatched with the persona
          below; new ones cannot be assigned to it.
        </Alert>
      )}
      <Text mb="md">{type.description}</Text>
      <Title order={2} size="h5" mb={4}>
        Persona
      </Title>
      <Text size="sm" c="dimmed" mb="xs" component="div">
        <Anchor href={type.source.html_url} target="_blank" rel="noreferrer" size="sm">
          {type.source.path} <IconExternalLink size={12} aria-hidden />
        </Anchor>
        {" at "}
        {shortCommit(type.source.commit)}
        {" · synchronized "}
        <RelativeTime at={type.last_synced_at} />
        {" · changed by pull requests only"}
      </Text>
      <Paper withBorder p="lg">
        <MarkdownText text={type.body} />
      </Paper>
      <VersionHistory type={type} {...(version && { version })} />
    </Box>
  );
};

const AgentTypePage = ({ id, version }: { id: string; version?: string }) => {
  const type = useQuery(agentTypeQuery(useClient(), id));
  const isGone = type.error instanceof ProblemError && [400, 404].includes(type.error.status);
  if (isGone)
    return (
      <QuietPage
        icon={<IconUserOff />}
        title="There is no such agent type"
        actions={<Button renderRoot={(props) => <Link to="/agents" {...props} />}>Go to the agents</Button>}
      >
        Its organization may have been deleted.
      </QuietPage>
    );
  return (
    <QueryView query={type} name="the agent type" skeleton={<ScreenSkeleton />}>
      {(data) => <AgentTypeView type={data} {...(version && { version })} />}
    </QueryView>
  );
};

export default AgentTypePage;
