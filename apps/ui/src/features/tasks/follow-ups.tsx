// The tasks that follow from this one.
import { useQuery } from "@tanstack/react-query";
import { TaskRow } from "../../components/task-row.tsx";
import { useClient } from "../../data/client-context.tsx";
import { followUpsQuery } from "../../data/task-data.ts";
import { stateWord } from "../../lib/task-words.ts";
import classes from "./task-page.module.css";
import { TaskSection } from "./task-section.tsx";

export const FollowUps = ({ id }: { id: string }) => {
  const { data: followUps = [] } = useQuery(followUpsQuery(useClient(), id));
  if (followUps.length === 0) return null;
  return (
    <TaskSection title="Follow-ups">
      <ul className={classes.rows}>
        {followUps.map((task) => (
          <li key={task.id}>
            <TaskRow task={task}>{stateWord(task)}</TaskRow>
          </li>
        ))}
      </ul>
    </TaskSection>
  );
};
