// One dispatched task: its title, and in words who took it and when.
import { Link } from "@tanstack/react-router";
import type { TaskSummary } from "@task-service/contract";
import { AgentAvatar } from "../../components/agent-avatar.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { isBeingWorkedOn } from "../../lib/task-words.ts";
import classes from "./dispatched-panel.module.css";

export const DispatchedItem = ({ task }: { task: TaskSummary }) => {
  const { id, title, agent_type, executor, dispatched_at, dispatch_ended_at, needs_attention } = task;
  return (
    <li className={classes.item}>
      <AgentAvatar slug={agent_type?.slug ?? ""} px={24} />
      <div className={classes.words}>
        <Link to="/tasks/$id" params={{ id }} className={classes.link ?? ""}>
          <bdi>{title}</bdi>
        </Link>
        <span className={classes.detail}>
          {needs_attention ? "Lost too often; requeue it" : <>to {executor}</>}
          {dispatched_at && (
            <>
              {" · "}
              <RelativeTime at={dispatch_ended_at ?? dispatched_at} />
            </>
          )}
        </span>
      </div>
      {isBeingWorkedOn(task) && <span className={classes.pulse} title="Running" />}
    </li>
  );
};
