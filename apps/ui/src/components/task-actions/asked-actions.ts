// The actions that ask first where they take something away for good.
import { useState } from "react";
import { isLive, type Question } from "./ask-dialog.tsx";
import type { ActionTask, TaskActions } from "./task-actions.ts";

export const useAskedActions = (tasks: readonly ActionTask[], actions: TaskActions) => {
  const [question, setQuestion] = useState<Question | null>(null);
  return {
    /** At once, unless a worker has one of them. */
    requeue: () => (tasks.some(isLive) ? setQuestion("requeue") : void actions.requeue(tasks)),
    remove: () => setQuestion("delete"),
    /** For the dialog. */
    asking: {
      question,
      tasks,
      onClose: () => setQuestion(null),
      onConfirm: (answered: Question) => {
        setQuestion(null);
        void (answered === "delete" ? actions.remove(tasks) : actions.requeue(tasks));
      },
    },
  };
};
