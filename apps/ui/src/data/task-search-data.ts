// Finding tasks by their words, to choose one.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Client, maxQueryCharacters } from "@task-service/contract";
import { taskListsKey } from "./task-data.ts";

const maxFound = 10;

/** The newest tasks in which every word occurs; without any, the newest of all. */
export const taskSearchQuery = (client: Client, words: string) => {
  const q = words.trim().slice(0, maxQueryCharacters);
  return queryOptions({
    queryKey: [...taskListsKey, "search", q],
    queryFn: ({ signal }) => client.listTasks({ query: { limit: maxFound, ...(q && { q }) }, signal }),
    select: ({ items }) => items,
    placeholderData: keepPreviousData,
  });
};
