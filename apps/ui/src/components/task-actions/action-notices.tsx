// What an action says afterwards: what was done, with a way back where there is one, and which tasks it left out and why.
import { Button, Group } from "@mantine/core";
import type { BatchFailure } from "../../data/task-batch.ts";
import { useKeyBindings } from "../../lib/key-bindings.ts";
import { hideNotice, showNotice } from "../../lib/notices.ts";
import { problemWords } from "../../lib/problem-words.ts";
import { tasksWord } from "../../lib/task-words.ts";

interface Titled {
  id: string;
  title: string;
}

const undoMs = 8_000;
const noticeMs = 4_000;
const maxNamed = 5;

const Subject = ({ tasks }: { tasks: readonly Titled[] }) =>
  tasks.length === 1 ? (
    <>
      “<bdi>{tasks[0]?.title}</bdi>”
    </>
  ) : (
    tasksWord(tasks.length)
  );

const UndoButton = ({ onUndo }: { onUndo: () => void }) => {
  useKeyBindings({ z: onUndo });
  return (
    <Button size="compact-sm" variant="default" aria-keyshortcuts="z" title="Undo (z)" onClick={onUndo}>
      Undo
    </Button>
  );
};

/** `words` follow the tasks' name: "set to priority 50". With `undo` the notice offers it for eight seconds. */
export const sayDone = (tasks: readonly Titled[], words: string, undo?: () => unknown): void => {
  const id = showNotice({
    autoClose: undo ? undoMs : noticeMs,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <span>
          <Subject tasks={tasks} /> {words}
        </span>
        {undo && (
          <UndoButton
            onUndo={() => {
              hideNotice(id);
              void undo();
            }}
          />
        )}
      </Group>
    ),
  });
};

/** Names the tasks that were refused, the first few of them, by what they were refused for. */
const sayRefused = (title: string, failures: readonly BatchFailure[], tasks: readonly Titled[]): void => {
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  showNotice({
    color: "red",
    autoClose: false,
    title,
    message: (
      <>
        {failures.slice(0, maxNamed).map(({ id, words }) => (
          <div key={id}>
            “<bdi>{titles.get(id)}</bdi>”: {words}
          </div>
        ))}
        {failures.length > maxNamed && <div>And {failures.length - maxNamed} more.</div>}
      </>
    ),
  });
};

const partWords = (failures: readonly BatchFailure[], tasks: readonly Titled[]): string =>
  `${failures.length} of ${tasksWord(tasks.length)}`;

export const sayFailures = (failures: readonly BatchFailure[], tasks: readonly Titled[]): void =>
  sayRefused(
    tasks.length === 1 ? "That did not work" : `${partWords(failures, tasks)} left as they were`,
    failures,
    tasks,
  );

export const sayNotUndone = (failures: readonly BatchFailure[], tasks: readonly Titled[]): void =>
  sayRefused(tasks.length === 1 ? "Not undone" : `${partWords(failures, tasks)} not undone`, failures, tasks);

export const sayNothingDone = (error: unknown): void => {
  showNotice({ color: "red", autoClose: false, title: "That did not work", message: problemWords(error) });
};
