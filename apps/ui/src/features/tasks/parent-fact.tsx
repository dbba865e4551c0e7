// The task this one follows up on, by its title.
import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useClient } from "../../data/client-context.tsx";
import { taskQuery } from "../../data/task-data.ts";

export const ParentFact = ({ id }: { id: string }) => {
  const { data: parent } = useQuery(taskQuery(useClient(), id));
  const title = parent?.title ?? "another task";
  return (
    <Anchor
      aria-label={`Follow-up of ${title}`}
      renderRoot={(props) => <Link to="/tasks/$id" params={{ id }} {...props} />}
    >
      <bdi>{title}</bdi>
    </Anchor>
  );
};
