// One task: what it says on the left, what it is on the right.
import { Alert, Button, Skeleton } from "@mantine/core";
import { IconFileOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ProblemError, type Task } from "@task-service/contract";
import { InHeader } from "../../components/header-place.tsx";
import { warmMarkdown } from "../../components/markdown-part.ts";
import { QueryView } from "../../components/query-view.tsx";
import { QuietPage } from "../../components/quiet-page.tsx";
import { useClient } from "../../data/client-context.tsx";
import { taskQuery } from "../../data/task-data.ts";
import { DispatchHistory } from "./dispatch-history.tsx";
import { useLightPaper } from "./light-paper.ts";
import { TaskActions } from "./task-actions.tsx";
import { TaskFacts } from "./task-facts.tsx";
import { TaskHistory } from "./task-history.tsx";
import { TaskLineage } from "./task-lineage.tsx";
import { TaskNotes } from "./task-notes.tsx";
import classes from "./task-page.module.css";
import { TaskPrompt } from "./task-prompt.tsx";
import { TaskResult } from "./task-result.tsx";
import { TaskTitle } from "./task-title.tsx";

warmMarkdown();

const TaskSkeleton = () => (
  <>
    <InHeader place="title">
      <Skeleton h={28} w="60%" />
    </InHeader>
    <div className={classes.columns} aria-hidden>
      <Skeleton h={260} />
      <Skeleton h={420} />
    </div>
  </>
);

interface TaskViewProps {
  task: Task;
  /** Deleted while it was being looked at: what is shown, and what is being written, stays. */
  isGone: boolean;
}

const TaskView = ({ task, isGone }: TaskViewProps) => (
  <div className={classes.page}>
    {isGone && (
      <Alert color="red" icon={<IconFileOff />} title="This task was deleted" mb="md">
        What you see is how it was. Copy what you were writing if you still need it.
      </Alert>
    )}
    <InHeader place="title">
      <TaskTitle task={task} />
    </InHeader>
    {!isGone && <TaskActions task={task} />}
    <div className={classes.columns}>
      <div className={classes.words}>
        <TaskPrompt task={task} />
        {task.result !== null && <TaskResult result={task.result} />}
        <TaskNotes id={task.id} />
        <DispatchHistory id={task.id} />
        <TaskHistory id={task.id} />
      </div>
      <aside className={classes.facts} aria-label="Facts">
        <TaskFacts task={task} />
        <TaskLineage task={task} />
      </aside>
    </div>
  </div>
);

const TaskPage = ({ id }: { id: string }) => {
  const task = useQuery(taskQuery(useClient(), id));
  const isGone = task.error instanceof ProblemError && [400, 404].includes(task.error.status);
  useLightPaper();
  if (isGone && !task.data)
    return (
      <QuietPage
        icon={<IconFileOff />}
        title="There is no such task"
        actions={<Button renderRoot={(props) => <Link to="/" {...props} />}>Go to the queue</Button>}
      >
        It was deleted, or the address is not right.
      </QuietPage>
    );
  const query = isGone ? { ...task, error: null } : task;
  return (
    <QueryView query={query} name="the task" skeleton={<TaskSkeleton />}>
      {(data) => <TaskView task={data} isGone={isGone} />}
    </QueryView>
  );
};

export default TaskPage;
