// One agent type in its organization's list.
import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { AgentTypeSummary } from "@task-service/contract";
import { AgentAvatar } from "../../components/agent-avatar.tsx";
import classes from "./agents-page.module.css";

export const AgentTypeRow = ({ type }: { type: AgentTypeSummary }) => (
  <li className={classes.type} data-inactive={!type.is_active || undefined}>
    <AgentAvatar slug={type.slug} px={32} />
    <div className={classes.words}>
      <Link to="/agents/$id" params={{ id: type.id }} className={classes.link ?? ""}>
        {type.name}
      </Link>
      <Text size="sm" c="dimmed" lineClamp={2}>
        {type.description}
      </Text>
    </div>
    <Text size="sm" c="dimmed" className={classes.counts ?? ""}>
      {type.queued_count} queued · {type.dispatched_count} running
    </Text>
  </li>
);
