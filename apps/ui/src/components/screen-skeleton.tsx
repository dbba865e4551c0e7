// Stands in for a screen: the lines of a list, and its title where that is not known yet.
import { Skeleton, Stack } from "@mantine/core";
import { InHeader } from "./header-place.tsx";

const lines = ["a", "b", "c", "d", "e", "f"];

/** `hasTitle`: the screen is there and has said what it is. */
export const ScreenSkeleton = ({ hasTitle = false }: { hasTitle?: boolean }) => (
  <>
    {!hasTitle && (
      <InHeader place="title">
        <Skeleton h={28} w={180} />
      </InHeader>
    )}
    <Stack gap="sm" aria-hidden>
      {lines.map((line) => (
        <Skeleton key={line} h={44} />
      ))}
    </Stack>
  </>
);
