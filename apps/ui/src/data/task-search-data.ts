// A few tasks to choose from: by the service's search, which knows ids too, else the newest.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Client, ProblemError } from "@task-service/contract";
import { taskListsKey } from "./task-data.ts";

const maxFound = 8;

/** Words that cannot be searched for are found nowhere. */
export const foundTasksQuery = (client: Client, words: string) =>
  queryOptions({
    queryKey: [...taskListsKey, "found", words],
    queryFn: async ({ signal }) => {
      try {
        return (await client.listTasks({ query: { limit: maxFound, ...(words && { q: words }) }, signal })).items;
      } catch (error) {
        if (error instanceof ProblemError && error.status === 400) return [];
        throw error;
      }
    },
    placeholderData: keepPreviousData,
    refetchInterval: false,
  });
