// The versions an agent type had, read when somebody opens them: when each came, from which commit, what it changed.
import { Button, Stack, Text, Title } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { AgentType } from "@task-service/contract";
import { useEffect, useId, useState } from "react";
import { QueryView } from "../../components/query-view.tsx";
import { ScreenSkeleton } from "../../components/screen-skeleton.tsx";
import { agentTypeVersionsQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import classes from "./version-history.module.css";
import { VersionItem } from "./version-item.tsx";

interface VersionHistoryProps {
  type: AgentType;
  /** The id of the version that is open. */
  version?: string;
}

const Versions = ({ type, version }: VersionHistoryProps) => {
  const query = useInfiniteQuery(agentTypeVersionsQuery(useClient(), type));
  const { hasNextPage, isFetching, isFetchingNextPage, fetchNextPage } = query;
  const versions = query.data?.pages.flatMap(({ items }) => items) ?? [];
  // The last one of a page waits for the one before it in time, which says what it changed.
  const shown = hasNextPage ? versions.slice(0, -1) : versions;
  const isSought = version !== undefined && hasNextPage && !shown.some(({ id }) => id === version);
  useEffect(() => {
    if (isSought && !isFetching) void fetchNextPage();
  }, [isSought, isFetching, fetchNextPage]);
  return (
    <QueryView query={query} name="the history" skeleton={<ScreenSkeleton hasTitle />}>
      {() => (
        <Stack gap="sm" align="flex-start">
          <ol className={classes.versions} aria-label="Versions">
            {shown.map((one, index) => (
              <VersionItem
                key={one.id}
                version={one}
                {...(versions[index + 1] && { before: versions[index + 1] })}
                isOpen={one.id === version}
              />
            ))}
          </ol>
          {hasNextPage && (
            <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
              Older versions
            </Button>
          )}
          {!hasNextPage && version && !versions.some(({ id }) => id === version) && (
            <Text c="dimmed">The version asked for is not among them.</Text>
          )}
        </Stack>
      )}
    </QueryView>
  );
};

export const VersionHistory = ({ type, version }: VersionHistoryProps) => {
  const [isOpen, setIsOpen] = useState(version !== undefined);
  const id = useId();
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <section aria-labelledby={`${id}-title`} className={classes.history}>
      <Title order={2} size="h5" id={`${id}-title`}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon size={16} aria-hidden />
          History
        </button>
      </Title>
      <div id={id}>{isOpen && <Versions type={type} {...(version && { version })} />}</div>
    </section>
  );
};
