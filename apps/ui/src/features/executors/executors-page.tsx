// Who is connected: the executors seen in the last hour, what each does now, and how to start one.
import { Stack } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { ScreenSkeleton } from "../../components/screen-skeleton.tsx";
import { useClient } from "../../data/client-context.tsx";
import { executorsQuery, liveTasksQuery } from "../../data/executor-data.ts";
import { ExecutorItem } from "./executor-item.tsx";
import { executorNumbers } from "./executor-words.ts";
import classes from "./executors-page.module.css";
import { StartExecutor } from "./start-executor.tsx";

const ExecutorsPage = () => {
  const client = useClient();
  const executors = useQuery(executorsQuery(client));
  const live = useQuery(liveTasksQuery(client));
  const tasksOf = Map.groupBy(live.data?.items ?? [], ({ executor }) => executor);
  return (
    <>
      <PageHeader title="Executors" numbers={executors.data && executorNumbers(executors.data)} />
      <QueryView query={executors} name="the executors" skeleton={<ScreenSkeleton hasTitle />}>
        {(all) =>
          all.length === 0 ? (
            <>
              <EmptyNotice icon={<IconPlugConnectedX />} title="No executor was seen in the last hour">
                Executors take tasks from the queue and have them worked on. Until one is started, tasks wait.
              </EmptyNotice>
              <StartExecutor />
            </>
          ) : (
            <Stack gap={40}>
              <ul className={classes.list} aria-label="Executors">
                {all.map((executor) => (
                  <ExecutorItem
                    key={`${executor.actor.sub} ${executor.executor}`}
                    executor={executor}
                    tasks={tasksOf.get(executor.executor) ?? []}
                  />
                ))}
              </ul>
              <StartExecutor />
            </Stack>
          )
        }
      </QueryView>
    </>
  );
};

export default ExecutorsPage;
