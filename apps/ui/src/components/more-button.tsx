// Asks for the next page of a list, if there is one.
import { Button } from "@mantine/core";

interface Paged {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

export const MoreButton = ({ query, children }: { query: Paged; children: string }) =>
  query.hasNextPage && (
    <Button
      variant="default"
      size="xs"
      mt="sm"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {children}
    </Button>
  );
