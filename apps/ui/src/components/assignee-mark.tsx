// Whom a task is assigned to: an agent type with its face, a person with initials, or nobody.
import { Avatar } from "@mantine/core";
import type { TaskSummary } from "@task-service/contract";
import { AgentAvatar } from "./agent-avatar.tsx";
import classes from "./marks.module.css";

type Assigned = Pick<TaskSummary, "agent_type" | "assignee_type" | "assignee">;

/** The name alone, for sentences and labels. */
export const assigneeName = ({ agent_type, assignee }: Assigned): string => agent_type?.name ?? assignee ?? "Nobody";

export const AssigneeMark = ({ task }: { task: Assigned }) => {
  const { agent_type, assignee_type } = task;
  const name = assigneeName(task);
  return (
    <span className={classes.assignee}>
      {agent_type && <AgentAvatar slug={agent_type.slug} />}
      {assignee_type === "user" && (
        <Avatar
          size={20}
          name={name}
          color="initials"
          classNames={{ placeholder: classes.initials ?? "" }}
          aria-hidden
        />
      )}
      <bdi className={assignee_type ? classes.name : `${classes.name} ${classes.faint}`} title={name}>
        {name}
      </bdi>
      {agent_type && !agent_type.is_active && <span className={classes.inactive}>inactive</span>}
    </span>
  );
};
