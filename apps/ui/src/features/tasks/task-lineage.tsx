// The line of follow-ups the task stands in, from its root on, and the tokens of them all.
import { Skeleton, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Task } from "@task-service/contract";
import { useEffect, useMemo } from "react";
import { MoreButton } from "../../components/more-button.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { useClient } from "../../data/client-context.tsx";
import { taskLineQuery } from "../../data/task-line-data.ts";
import { lineTo, lineTree, tokensOf } from "../../lib/task-line.ts";
import { countWord, tasksWord } from "../../lib/task-words.ts";
import { LineageBranches } from "./lineage-branch.tsx";
import { TaskSection } from "./task-section.tsx";

const maxUnfolded = 30;

export const TaskLineage = ({ task: { id, root_id } }: { task: Task }) => {
  const query = useInfiniteQuery(taskLineQuery(useClient(), root_id));
  const { data, hasNextPage, isFetching, fetchNextPage } = query;
  const tasks = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const path = useMemo(() => lineTo(tasks, id), [tasks, id]);
  const tree = useMemo(() => lineTree(tasks), [tasks]);

  // Of a long line, as much as leads to this task.
  const isSought = data !== undefined && hasNextPage && path.size === 0;
  useEffect(() => {
    if (isSought && !isFetching) void fetchNextPage();
  }, [isSought, isFetching, fetchNextPage]);

  // By itself, it is no line.
  if (data && tasks.length < 2) return null;
  const tokens = tokensOf(tasks);
  const view = { current: id, path, isSmall: tasks.length <= maxUnfolded };
  return (
    <TaskSection title="Lineage">
      <QueryView query={query} name="the lineage" skeleton={<Skeleton h={72} />}>
        {() => (
          <>
            <Text size="sm" c="dimmed" mb="xs">
              {hasNextPage && "The first "}
              {tasksWord(tasks.length)} · {countWord(tokens.input)} tokens in · {countWord(tokens.output)} out
            </Text>
            <LineageBranches nodes={tree} view={view} />
            <MoreButton query={query}>Load more of the line</MoreButton>
          </>
        )}
      </QueryView>
    </TaskSection>
  );
};
