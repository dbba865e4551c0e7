// The issue or pull request a task is linked to: how it stands on the git host, and the way there.
import { Anchor, Badge, Group, Paper, Stack, Text } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { GitState, Task } from "@task-service/contract";
import { GitIcon } from "../../components/git-mark.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { type GitLinked, gitReference, gitStanding, gitWord, isGitLinked } from "../../lib/git-words.ts";
import { useNow } from "../../lib/now.ts";
import { GitLinkEditor } from "./git-link-editor.tsx";

/** A link made now is read now: after so long, the git host did not answer. */
const readingMs = 60_000;

const Times = ({ state }: { state: GitState }) => (
  <>
    {state.state !== "unreadable" && state.updated_at && (
      <>
        Changed <RelativeTime at={state.updated_at} />
        {" · "}
      </>
    )}
    Looked at <RelativeTime at={state.synced_at} />
  </>
);

const Linked = ({ task }: { task: Task & GitLinked }) => {
  const { git_link: link, git_state: state } = task;
  const isNew = useNow() - Date.parse(task.updated_at) < readingMs;
  const unread = isNew ? "Being read from the git host…" : "Not read from the git host yet; it is tried again.";
  const isUnreadable = state?.state === "unreadable";
  const title = isUnreadable ? "" : state?.title;
  return (
    <>
      {/* The address is the service's own: one that came from the git host could lead anywhere. */}
      <Anchor href={link.url} target="_blank" rel="noreferrer" fw={600} style={{ overflowWrap: "anywhere" }}>
        <bdi>{title || gitReference(link)}</bdi> <IconExternalLink size={12} aria-hidden />
      </Anchor>
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {title ? gitReference(link) : isUnreadable ? "Deleted, or the service's token may not see it." : unread}
      </Text>
      {!isUnreadable && state && state.labels.length > 0 && (
        <Group gap={4} component="ul" aria-label="Labels on the git host" m={0} p={0} style={{ listStyle: "none" }}>
          {state.labels.map((label) => (
            <Badge key={label} component="li" variant="default" tt="none" fw={400} maw="100%">
              <bdi>{label}</bdi>
            </Badge>
          ))}
        </Group>
      )}
      {/* Has its place before there is something to say. */}
      <Text size="xs" c="dimmed" component="div" mih="1.4em">
        {state && <Times state={state} />}
      </Text>
    </>
  );
};

export const GitCard = ({ task }: { task: Task }) => {
  const standing = isGitLinked(task) ? gitStanding(task) : null;
  return (
    <Paper component="section" aria-label="Git" withBorder={standing !== null} p={standing ? "sm" : 0}>
      <Stack gap={6}>
        <Group gap={6} wrap="nowrap" justify="space-between" mih={26}>
          {standing && (
            <Group gap={6} wrap="nowrap">
              <GitIcon standing={standing} />
              <Text fw={500}>{gitWord(standing)}</Text>
            </Group>
          )}
          <GitLinkEditor task={task} />
        </Group>
        {isGitLinked(task) && <Linked task={task} />}
      </Stack>
    </Paper>
  );
};
