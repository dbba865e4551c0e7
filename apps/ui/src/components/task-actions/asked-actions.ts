// The actions that ask first: where they take something away for good, and where they concern very many tasks.
import { useState } from "react";
import { isBeingWorkedOn } from "../../lib/task-words.ts";
import type { Question } from "./ask-dialog.tsx";
import type { ActionTask, TaskActions } from "./task-actions.ts";

/** Of more tasks than these a list does not know whether workers have taken some since it showed them. */
const maxUnasked = 50;

export const useAskedActions = (tasks: readonly ActionTask[], actions: TaskActions) => {
  const [question, setQuestion] = useState<Question | null>(null);
  return {
    /** At once, unless a worker has one of them, or may have. */
    requeue: () =>
      tasks.length > maxUnasked || tasks.some(isBeingWorkedOn) ? setQuestion("requeue") : void actions.requeue(tasks),
    /** At once, unless they are very many. */
    bumpToTop: () => (tasks.length > maxUnasked ? setQuestion("bump") : void actions.bumpToTop(tasks)),
    remove: () => setQuestion("delete"),
    /** For the dialog. */
    asking: {
      question,
      tasks,
      onClose: () => setQuestion(null),
      onConfirm: (answered: Question) => {
        setQuestion(null);
        const { remove, requeue, bumpToTop } = actions;
        void { delete: remove, requeue, bump: bumpToTop }[answered](tasks);
      },
    },
  };
};
