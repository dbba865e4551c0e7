// The queue before its first answer: rows of the final height, so nothing moves when they come.
import { Skeleton } from "@mantine/core";

const rows = ["a", "b", "c", "d", "e", "f", "g", "h"];

export const QueueSkeleton = () => (
  <div aria-hidden>
    <Skeleton h={14} w={90} my={13} ml={12} />
    {rows.map((row) => (
      <Skeleton key={row} h={28} my={16} />
    ))}
  </div>
);
