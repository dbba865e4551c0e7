// Says that something could not be read, how old what is shown is, and tries again on request.
import { Alert, Button, Group } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { problemWords } from "../lib/problem-words.ts";
import type { Loaded } from "./joined-queries.ts";
import { RelativeTime } from "./relative-time.tsx";

interface QueryTroubleProps {
  query: Loaded<unknown>;
  /** What it is: "the queue". */
  name: string;
}

export const QueryTrouble = ({ query, name }: QueryTroubleProps) => {
  const { data, error, dataUpdatedAt, isFetching, refetch } = query;
  const isShown = data !== undefined;
  return (
    error && (
      <Alert
        color="red"
        icon={<IconAlertTriangle />}
        title={isShown ? `Could not refresh ${name}` : `Could not load ${name}`}
        mb="md"
      >
        <Group justify="space-between">
          <span>
            {problemWords(error)}
            {isShown && (
              <>
                {" "}
                What is shown was read <RelativeTime at={new Date(dataUpdatedAt).toISOString()} />.
              </>
            )}
          </span>
          <Button size="xs" variant="default" onClick={() => refetch()} loading={isFetching}>
            Try again
          </Button>
        </Group>
      </Alert>
    )
  );
};
