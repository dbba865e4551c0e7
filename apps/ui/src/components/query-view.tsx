// The three faces of everything that is loaded: its skeleton, its failure with a retry, itself.
import type { ReactNode } from "react";
import type { Loaded } from "./joined-queries.ts";
import { QueryTrouble } from "./query-trouble.tsx";

interface QueryViewProps<T> {
  query: Loaded<T>;
  /** What it is, to name it in a failure: "the queue". */
  name: string;
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

export const QueryView = <T,>({ query, name, skeleton, children }: QueryViewProps<T>) => {
  const { data, error } = query;
  if (data === undefined && !error) return <div aria-busy="true">{skeleton}</div>;
  return (
    <>
      <QueryTrouble query={query} name={name} />
      {data !== undefined && children(data)}
    </>
  );
};
