// One task: what it says on the left, what it is on the right.
import { Anchor, Box, Button, Group, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { IconFileOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ProblemError, type Task } from "@task-service/contract";
import { MarkdownText } from "../../components/markdown-text.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { QuietPage } from "../../components/quiet-page.tsx";
import { useClient } from "../../data/client-context.tsx";
import { taskQuery } from "../../data/task-data.ts";
import { DispatchHistory } from "./dispatch-history.tsx";
import { FollowUps } from "./follow-ups.tsx";
import { TaskActions } from "./task-actions.tsx";
import { TaskFacts } from "./task-facts.tsx";
import { TaskHistory } from "./task-history.tsx";
import classes from "./task-page.module.css";
import { TaskPrompt } from "./task-prompt.tsx";
import { TaskSection } from "./task-section.tsx";
import { TaskTitle } from "./task-title.tsx";

const TaskSkeleton = () => (
  <Stack aria-hidden>
    <Skeleton h={28} w="60%" />
    <Skeleton h={30} w={280} mb="lg" />
    <Skeleton h={180} />
  </Stack>
);

const ParentLink = ({ id }: { id: string }) => {
  const { data: parent } = useQuery(taskQuery(useClient(), id));
  return (
    <Text c="dimmed" mb={4}>
      Follow-up of{" "}
      <Anchor renderRoot={(props) => <Link to="/tasks/$id" params={{ id }} {...props} />}>
        {parent?.title ?? "another task"}
      </Anchor>
    </Text>
  );
};

const TaskView = ({ task }: { task: Task }) => (
  <>
    <Box mb="lg">
      {task.parent_id && <ParentLink id={task.parent_id} />}
      <Group justify="space-between" align="flex-start" gap="sm">
        <TaskTitle task={task} />
        <TaskActions task={task} />
      </Group>
    </Box>
    <div className={classes.columns}>
      <div className={classes.words}>
        <TaskPrompt task={task} />
        {task.result !== null && (
          <TaskSection title="Result">
            <Paper withBorder p="md">
              <MarkdownText text={task.result} />
            </Paper>
          </TaskSection>
        )}
        <FollowUps id={task.id} />
        <DispatchHistory id={task.id} />
        <TaskHistory id={task.id} />
      </div>
      <aside className={classes.facts} aria-label="Facts">
        <TaskFacts task={task} />
      </aside>
    </div>
  </>
);

const TaskPage = ({ id }: { id: string }) => {
  const task = useQuery(taskQuery(useClient(), id));
  const isGone = task.error instanceof ProblemError && [400, 404].includes(task.error.status);
  if (isGone)
    return (
      <QuietPage
        icon={<IconFileOff />}
        title="There is no such task"
        actions={<Button renderRoot={(props) => <Link to="/" {...props} />}>Go to the queue</Button>}
      >
        It may have been deleted.
      </QuietPage>
    );
  return (
    <QueryView query={task} name="the task" skeleton={<TaskSkeleton />}>
      {(data) => <TaskView task={data} />}
    </QueryView>
  );
};

export default TaskPage;
