// Stands in for a screen while its code loads: a heading and the lines of a list.
import { Skeleton, Stack } from "@mantine/core";

const lines = ["a", "b", "c", "d", "e", "f"];

export const ScreenSkeleton = () => (
  <Stack gap="sm" aria-hidden>
    <Skeleton h={28} w={180} mb="md" />
    {lines.map((line) => (
      <Skeleton key={line} h={44} />
    ))}
  </Stack>
);
