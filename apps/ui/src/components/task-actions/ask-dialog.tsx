// Asks once before what cannot be undone or concerns very many tasks, naming what it concerns.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { isBeingWorkedOn, tasksWord } from "../../lib/task-words.ts";
import type { ActionTask } from "./task-actions.ts";

export type Question = "delete" | "requeue" | "bump";

const questions: Record<Question, { verb: string; where: string; leave: string; color?: string }> = {
  delete: { verb: "Delete", where: "", leave: "Keep", color: "red" },
  requeue: { verb: "Requeue", where: "", leave: "Leave", color: "red" },
  bump: { verb: "Bump", where: " to the top", leave: "Leave" },
};

interface AskDialogProps {
  question: Question | null;
  tasks: readonly ActionTask[];
  onClose: () => void;
  onConfirm: (question: Question) => void;
}

const Words = ({ question, tasks }: { question: Question; tasks: readonly ActionTask[] }) => {
  const [first] = tasks;
  const isOne = tasks.length === 1;
  const title = <bdi style={{ fontWeight: 600 }}>{first?.title}</bdi>;
  if (question === "delete")
    return (
      <>
        {isOne ? title : "They"} and {isOne ? "its" : "their"} dispatches will be gone; the history stays. There is no
        undo.
      </>
    );
  if (question === "bump") return <>They will all go before everything else in the queue.</>;
  const running = tasks.filter(isBeingWorkedOn).length;
  if (running === 0)
    return <>Those that workers have by now are taken away from them, and what was not reported is lost.</>;
  return isOne ? (
    <>A worker has {title} now. Requeueing takes it away from the worker, and what it has not reported is lost.</>
  ) : (
    <>
      Workers have {running} of them now. Requeueing takes {running === 1 ? "it" : "them"} away, and what was not
      reported is lost.
    </>
  );
};

export const AskDialog = ({ question, tasks, onClose, onConfirm }: AskDialogProps) => {
  const isOne = tasks.length === 1;
  const { verb, where, leave, color } = questions[question ?? "delete"];
  return (
    <Modal
      opened={question !== null}
      onClose={onClose}
      title={`${verb} ${isOne ? "this task" : tasksWord(tasks.length)}${where}?`}
      transitionProps={{ duration: 0 }}
    >
      {question && (
        <Stack>
          <Text>
            <Words question={question} tasks={tasks} />
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus>
              {leave} {isOne ? "it" : "them"}
            </Button>
            <Button {...(color && { color })} onClick={() => onConfirm(question)}>
              {verb} {isOne ? "task" : tasksWord(tasks.length)}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
};
