// Every task, newest first: also those of people, and those long dispatched.
import { Button, Center } from "@mantine/core";
import { IconListDetails, IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { EmptyNotice } from "../../components/empty-notice.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { rowSource, useRowSelection } from "../../components/row-selection.ts";
import { ScreenSkeleton } from "../../components/screen-skeleton.tsx";
import { TaskRow } from "../../components/task-row.tsx";
import { useClient } from "../../data/client-context.tsx";
import { allTasksQuery } from "../../data/task-data.ts";
import { stateWord } from "../../lib/task-words.ts";
import classes from "./task-page.module.css";

const AllTasksPage = () => {
  const query = useInfiniteQuery(allTasksQuery(useClient()));
  const tasks = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const { current: selected } = useRowSelection({ rows: rowSource(tasks.map(({ id }) => id)) });
  return (
    <>
      <PageHeader
        title="Tasks"
        numbers={query.data && `${tasks.length}${query.hasNextPage ? "+" : ""} tasks, newest first`}
        action={
          <Button leftSection={<IconPlus size={16} />} renderRoot={(props) => <Link to="/tasks/new" {...props} />}>
            New task
          </Button>
        }
      />
      <QueryView query={query} name="the tasks" skeleton={<ScreenSkeleton />}>
        {() =>
          tasks.length === 0 ? (
            <EmptyNotice icon={<IconListDetails />} title="No tasks yet">
              People and workers create them; each stays here until it is deleted.
            </EmptyNotice>
          ) : (
            <div className={classes.words}>
              <ul className={classes.rows} aria-label="Tasks">
                {tasks.map((task) => (
                  <li key={task.id}>
                    <TaskRow task={task} isSelected={task.id === selected}>
                      {stateWord(task)}
                    </TaskRow>
                  </li>
                ))}
              </ul>
              {query.hasNextPage && (
                <Center>
                  <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
                    Load more
                  </Button>
                </Center>
              )}
            </div>
          )
        }
      </QueryView>
    </>
  );
};

export default AllTasksPage;
