// Loads a dispatch that a person holds, keeps it theirs, and remembers it when it is gone.
import { Button } from "@mantine/core";
import { IconHandOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { ProblemError } from "@task-service/contract";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { warmMarkdown } from "../../components/markdown-part.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { ScreenSkeleton } from "../../components/screen-skeleton.tsx";
import { useClient } from "../../data/client-context.tsx";
import { dispatchQuery } from "../../data/responder-data.ts";
import { taskQuery } from "../../data/task-data.ts";
import { Desk } from "./desk.tsx";
import { useLeaseKeeping } from "./lease-keeping.ts";

warmMarkdown();

interface DeskPageProps {
  id: string;
  onLeave: () => void;
}

const isMissing = (error: Error | null): boolean => error instanceof ProblemError && error.code === "not_found";

export const DeskPage = ({ id, onLeave }: DeskPageProps) => {
  const client = useClient();
  const dispatch = useQuery(dispatchQuery(client, id));
  const task_id = dispatch.data?.task_id ?? "";
  const task = useQuery({ ...taskQuery(client, task_id), enabled: task_id !== "" });
  const isGone = isMissing(dispatch.error) || isMissing(task.error);
  useLeaseKeeping(id, !isGone && dispatch.data?.ended_at === null);

  if (dispatch.data && task.data)
    return <Desk dispatch={dispatch.data} task={task.data} isGone={isGone} onLeave={onLeave} />;
  return (
    <>
      <PageHeader title="Take a task" />
      {isGone ? (
        <EmptyNotice
          icon={<IconHandOff />}
          title="There is no such task any more"
          action={<Button onClick={onLeave}>Back to taking tasks</Button>}
        >
          It was deleted, or the address is not right.
        </EmptyNotice>
      ) : (
        <QueryView query={dispatch} name="the task" skeleton={<ScreenSkeleton hasTitle />}>
          {() => (
            <QueryView query={task} name="the task" skeleton={<ScreenSkeleton hasTitle />}>
              {() => null}
            </QueryView>
          )}
        </QueryView>
      )}
    </>
  );
};
