// One task beside its list: what it is, where it stands and how its prompt begins, without leaving the list.
import { ActionIcon, Anchor, Button, Kbd, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ProblemError, type Task } from "@task-service/contract";
import type { ReactNode } from "react";
import { useClient } from "../data/client-context.tsx";
import { lineageCountQuery, taskQuery } from "../data/task-data.ts";
import { taskPositionQuery } from "../data/task-position-data.ts";
import { positionWords, stateWord, tasksWord } from "../lib/task-words.ts";
import { AssigneeMark } from "./assignee-mark.tsx";
import { warmMarkdown } from "./markdown-part.ts";
import { MarkdownText } from "./markdown-text.tsx";
import { PriorityMark } from "./priority-mark.tsx";
import { QueryView } from "./query-view.tsx";
import { RelativeTime } from "./relative-time.tsx";
import classes from "./task-preview.module.css";

warmMarkdown();

const excerptCharacters = 1_500;

const excerptOf = (prompt: string): string =>
  prompt.length > excerptCharacters ? `${prompt.slice(0, excerptCharacters)}…` : prompt;

const Waiting = ({ task }: { task: Task }) => {
  const { data: position } = useQuery(taskPositionQuery(useClient(), task.id));
  if (!position) return <Skeleton h={20} w="70%" />;
  const { place, reasons, wait, overtaken } = positionWords(position);
  return (
    <>
      <Text fw={500}>{reasons[0]}</Text>
      <Text size="sm" c="dimmed">
        {[place, ...reasons.slice(1), wait, overtaken].filter(Boolean).join(" · ")}
      </Text>
    </>
  );
};

const Taken = ({ task }: { task: Task }) => (
  <Text c="dimmed">
    To <bdi>{task.executor}</bdi> {task.dispatched_at && <RelativeTime at={task.dispatched_at} />}
    {task.dispatch_ended_at && (
      <>
        , ended <RelativeTime at={task.dispatch_ended_at} />
      </>
    )}
  </Text>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Lineage = ({ task }: { task: Task }) => {
  const { data } = useQuery(lineageCountQuery(useClient(), task.root_id));
  if (!data || data.count < 2) return null;
  return <Fact name="Line">{tasksWord(data.count)} from one beginning</Fact>;
};

const Content = ({ task }: { task: Task }) => (
  <Stack gap="md">
    <Title order={2} size="h3" className={classes.title ?? ""}>
      <bdi>{task.title}</bdi>
    </Title>
    <div>
      <Text fw={650}>{stateWord(task)}</Text>
      {task.state === "queued" || task.needs_attention ? <Waiting task={task} /> : <Taken task={task} />}
    </div>
    <dl className={classes.facts}>
      <Fact name="Priority">
        <PriorityMark priority={task.priority} />
      </Fact>
      <Fact name="Assigned to">
        <AssigneeMark task={task} />
      </Fact>
      <Fact name="Organization">{task.organization_slug}</Fact>
      {task.labels.length > 0 && (
        <Fact name="Labels">
          <bdi>{task.labels.join(", ")}</bdi>
        </Fact>
      )}
      {task.git_link && (
        <Fact name="Git">
          <Anchor href={task.git_link.url} target="_blank" rel="noopener noreferrer nofollow">
            <bdi>
              {task.git_link.owner}/{task.git_link.repo}#{task.git_link.number}
            </bdi>
          </Anchor>
        </Fact>
      )}
      <Lineage task={task} />
      <Fact name="Created">
        <RelativeTime at={task.created_at} /> by <bdi>{task.created_by.name}</bdi>
      </Fact>
    </dl>
    <div className={classes.prompt}>
      <MarkdownText text={excerptOf(task.prompt)} />
    </div>
  </Stack>
);

export interface TaskPreviewProps {
  id: string;
  onClose: () => void;
}

const TaskPreview = ({ id, onClose }: TaskPreviewProps) => {
  const query = useQuery(taskQuery(useClient(), id));
  const isGone = query.error instanceof ProblemError && query.error.code === "not_found";
  return (
    <aside className={classes.preview} aria-label="Preview">
      <div className={classes.head}>
        <Button
          size="compact-sm"
          variant="default"
          rightSection={<Kbd size="xs">↵</Kbd>}
          renderRoot={(props) => <Link to="/tasks/$id" params={{ id }} {...props} />}
        >
          Open
        </Button>
        <ActionIcon variant="subtle" color="gray" aria-label="Close the preview" title="Close (Esc)" onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </div>
      {isGone ? (
        <Text c="dimmed">There is no such task; it may have been deleted.</Text>
      ) : (
        <QueryView query={query} name="the task" skeleton={<PreviewSkeleton />}>
          {(task) => <Content task={task} />}
        </QueryView>
      )}
    </aside>
  );
};

const PreviewSkeleton = () => (
  <Stack gap="md">
    <Skeleton h={28} />
    <Skeleton h={44} w="70%" />
    <Skeleton h={140} />
    <Skeleton h={220} />
  </Stack>
);

export default TaskPreview;
