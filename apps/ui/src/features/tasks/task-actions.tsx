// What can be done with a task as a whole: a follow-up, another one like it, back to the queue, delete.
import { Button, Group } from "@mantine/core";
import { IconArrowBackUp, IconCopyPlus, IconSubtask, IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Task } from "@task-service/contract";
import { useState } from "react";
import { useKeyBindings } from "../../lib/key-bindings.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { RequeueDialog } from "./requeue-dialog.tsx";
import classes from "./task-page.module.css";

const look = { size: "xs", variant: "default" } as const;

export const TaskActions = ({ task }: { task: Task }) => {
  const [asking, setAsking] = useState<"requeue" | "delete" | null>(null);
  const canRequeue = task.state === "dispatched";
  const close = () => setAsking(null);
  useKeyBindings({ ...(canRequeue && { r: () => setAsking("requeue") }) });
  return (
    <Group gap="xs" mb="lg" className={classes.actions ?? ""}>
      <Button
        {...look}
        leftSection={<IconSubtask size={16} />}
        renderRoot={(props) => <Link to="/tasks/new" search={{ parent: task.id }} {...props} />}
      >
        Create follow-up
      </Button>
      <Button
        {...look}
        leftSection={<IconCopyPlus size={16} />}
        renderRoot={(props) => <Link to="/tasks/new" search={{ from: task.id }} {...props} />}
      >
        Duplicate
      </Button>
      {canRequeue && (
        <Button {...look} leftSection={<IconArrowBackUp size={16} />} onClick={() => setAsking("requeue")}>
          Requeue
        </Button>
      )}
      <Button {...look} leftSection={<IconTrash size={16} />} onClick={() => setAsking("delete")}>
        Delete
      </Button>
      <RequeueDialog task={task} isOpen={asking === "requeue"} onClose={close} />
      <DeleteDialog task={task} isOpen={asking === "delete"} onClose={close} />
    </Group>
  );
};
