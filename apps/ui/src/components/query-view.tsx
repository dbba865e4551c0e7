// The three faces of everything that is loaded: its skeleton, its failure with a retry, itself.
import { Alert, Button, Group } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { problemWords } from "../lib/problem-words.ts";
import { RelativeTime } from "./relative-time.tsx";

interface Loaded<T> {
  data: T | undefined;
  error: Error | null;
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
}

interface QueryViewProps<T> {
  query: Loaded<T>;
  /** What it is, to name it in a failure: "the queue". */
  name: string;
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

export const QueryView = <T,>({ query, name, skeleton, children }: QueryViewProps<T>) => {
  const { data, error, dataUpdatedAt, isFetching, refetch } = query;
  if (data === undefined && !error) return <div aria-busy="true">{skeleton}</div>;
  return (
    <>
      {error && (
        <Alert
          color="red"
          icon={<IconAlertTriangle />}
          title={data === undefined ? `Could not load ${name}` : `Could not refresh ${name}`}
          mb="md"
        >
          <Group justify="space-between">
            <span>
              {problemWords(error)}
              {data !== undefined && (
                <>
                  {" "}
                  What is shown is from <RelativeTime at={new Date(dataUpdatedAt).toISOString()} />.
                </>
              )}
            </span>
            <Button size="xs" variant="default" onClick={() => refetch()} loading={isFetching}>
              Try again
            </Button>
          </Group>
        </Alert>
      )}
      {data !== undefined && children(data)}
    </>
  );
};
