// Reads a whole collection, page after page, where a screen needs all of it.
import { maxPageSize, type Page } from "@task-service/contract";

interface PageRequest {
  limit: number;
  cursor?: string;
}

/** Every item of a collection, in its order. For collections of people's size: organizations, agent types. */
export const allPages = async <T>(readPage: (query: PageRequest) => Promise<Page<T>>): Promise<T[]> => {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<T> = await readPage({ limit: maxPageSize, ...(cursor && { cursor }) });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor);
  return items;
};
