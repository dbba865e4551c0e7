// Several things that one screen reads, as one: their failure is said once, and tried again together.

export interface Loaded<T> {
  data: T | undefined;
  error: Error | null;
  /** In ms since 1970. */
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
}

type DataOf<Q> = { [Name in keyof Q]: Q[Name] extends Loaded<infer T> ? T : never };

/** There once all of them are, as old as the oldest; only those that failed are tried again. */
export const joinQueries = <Q extends Record<string, Loaded<unknown>>>(queries: Q): Loaded<DataOf<Q>> => {
  const all = Object.values(queries);
  const isRead = all.every(({ data }) => data !== undefined);
  return {
    data: isRead
      ? (Object.fromEntries(Object.entries(queries).map(([name, { data }]) => [name, data])) as DataOf<Q>)
      : undefined,
    error: all.find(({ error }) => error)?.error ?? null,
    dataUpdatedAt: Math.min(...all.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    isFetching: all.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(all.filter(({ error }) => error).map(({ refetch }) => refetch())),
  };
};
