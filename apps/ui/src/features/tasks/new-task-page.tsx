// Writing a new task: an empty one, a follow-up of another one, or one like another.
import { Alert, Box, Button, Skeleton, Text } from "@mantine/core";
import { IconRobotOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useKeptDraft } from "../../components/kept-draft.ts";
import { warmMarkdown } from "../../components/markdown-part.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { meQuery } from "../../data/me-data.ts";
import { taskQuery } from "../../data/task-data.ts";
import type { KeptDraft } from "../../lib/kept-drafts.ts";
import { NewTaskForm } from "./new-task-form.tsx";
import { draftLike, emptyDraft, readDraft } from "./task-draft.ts";

warmMarkdown();

export interface NewTaskStart {
  /** The task to follow up on. */
  parent?: string;
  /** An agent type chosen beforehand. */
  agent?: string;
  /** The task to make another one of. */
  from?: string;
}

const NoAgentTypesAlert = () => (
  <Alert icon={<IconRobotOff />} title="No agent types are configured" mb="lg">
    <Text mb="xs">The agents repository of an organization must be created to add some.</Text>
    <Button size="xs" variant="default" renderRoot={(props) => <Link to="/agents" {...props} />}>
      How to add agent types
    </Button>
  </Alert>
);

const FormSkeleton = () => (
  <div aria-busy="true">
    <Skeleton h={64} mb="lg" />
    <Skeleton h={280} mb="lg" />
    <Skeleton h={64} />
  </div>
);

/** Waits for the task it is made of. Nothing is waited for once there is something of one's own. */
const useStart = (start: NewTaskStart, kept: string | null | undefined) => {
  const client = useClient();
  const from = useQuery({ ...taskQuery(client, start.from ?? ""), enabled: start.from !== undefined && kept === null });
  if (kept === undefined) return null;
  const own = kept === null ? null : readDraft(kept);
  if (!own && from.isLoading) return null;
  const begun = own?.draft ?? (from.data ? draftLike(from.data) : emptyDraft);
  const initial = {
    ...begun,
    ...(!own && start.parent && { parent_id: start.parent }),
    ...(start.agent &&
      start.agent !== begun.asked_agent && {
        assignee_type: "agent" as const,
        assignee: start.agent,
        asked_agent: start.agent,
      }),
  };
  return { initial, sent: own?.sent ?? null };
};

interface StartedFormProps {
  start: NewTaskStart;
  draft: KeptDraft;
}

const StartedForm = ({ start, draft }: StartedFormProps) => {
  const navigate = useNavigate();
  const [kept, setKept] = useState(draft.kept);
  const begin = useStart(start, kept);
  if (!begin) return <FormSkeleton />;
  return (
    <>
      {kept !== null && (
        <Alert mb="lg" title="You left this unfinished">
          It was kept in this browser.{" "}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              draft.forget();
              setKept(null);
            }}
          >
            Start afresh
          </Button>
        </Alert>
      )}
      <NewTaskForm
        key={kept === null ? "fresh" : "kept"}
        {...begin}
        draft={draft}
        onCreated={({ id }) => navigate({ to: "/tasks/$id", params: { id }, replace: true })}
      />
    </>
  );
};

const NewTaskPage = (start: NewTaskStart) => {
  const client = useClient();
  const { data: agentTypes } = useQuery(agentTypesQuery(client));
  const { data: me } = useQuery(meQuery(client));
  const about = start.parent ?? (start.from ? `like-${start.from}` : "");
  const draft = useKeptDraft(`task/${me?.sub ?? ""}/${about}`);
  return (
    <Box maw={1200}>
      <PageHeader title={start.parent ? "New follow-up" : "New task"} />
      {agentTypes?.every(({ is_active }) => !is_active) && <NoAgentTypesAlert />}
      {draft ? <StartedForm start={start} draft={draft} /> : <FormSkeleton />}
    </Box>
  );
};

export default NewTaskPage;
