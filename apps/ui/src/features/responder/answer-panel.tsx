// The answer to a task: written, saved as the task's result, and with it the end of the work.
import { Alert, Button, Group, Kbd, NumberInput, Stack, Text } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { maxResultCharacters, type Task } from "@task-service/contract";
import { useState } from "react";
import { MarkdownEditor } from "../../components/markdown-editor.tsx";
import { type useFinishDispatch, useSaveAnswer } from "../../data/responder-data.ts";
import { showNotice } from "../../lib/notices.ts";
import { problemWords } from "../../lib/problem-words.ts";
import type { AnswerDraft } from "./answer-draft.ts";
import { NewerResult } from "./newer-result.tsx";

interface AnswerPanelProps {
  dispatch: string;
  finish: ReturnType<typeof useFinishDispatch>;
  task: Task;
  draft: AnswerDraft;
  onGiveBack: () => void;
  onFinished: () => void;
}

type Tokens = number | "";

const savedWords = ({ isUnsaved, replaces }: AnswerDraft): string => {
  if (isUnsaved) return "Not saved yet.";
  return replaces ? "Saved as the task’s result." : "";
};

export const AnswerPanel = ({ dispatch, finish, task, draft, onGiveBack, onFinished }: AnswerPanelProps) => {
  const save = useSaveAnswer(dispatch);
  const [input, setInput] = useState<Tokens>("");
  const [output, setOutput] = useState<Tokens>("");
  const isBusy = save.isPending || finish.isPending;
  const isChanged = draft.isUnsaved || input !== "" || output !== "";

  const patch = {
    result: draft.text || null,
    ...(input !== "" && { input_tokens: input }),
    ...(output !== "" && { output_tokens: output }),
  };
  const saveAnswer = async (): Promise<boolean> => {
    try {
      const { result } = await save.mutateAsync({ task, patch, replaces: draft.replaces });
      draft.settle(result);
      return true;
    } catch {
      return false;
    }
  };
  const saveOnly = async () => {
    if (!isBusy && (await saveAnswer())) showNotice({ message: "Answer saved as the task’s result" });
  };
  const saveAndFinish = async () => {
    if (isBusy || (isChanged && !(await saveAnswer()))) return;
    if (draft.textNow() !== draft.text)
      return void showNotice({ message: "You wrote more while it was being saved: the task is still yours." });
    finish.mutate(undefined, {
      onSuccess: () => {
        draft.forget();
        onFinished();
      },
    });
  };
  const error = save.error ?? finish.error;

  return (
    <Stack
      component="section"
      aria-labelledby="answer"
      onKeyDown={getHotkeyHandler([
        ["mod+S", () => void saveOnly()],
        ["mod+Enter", () => void saveAndFinish()],
      ])}
    >
      <Text component="h2" id="answer" fw={600} m={0}>
        Your answer
      </Text>
      <MarkdownEditor
        aria-label="Your answer"
        description="In Markdown. It becomes the task’s result; what you write is kept in this browser."
        value={draft.text}
        onChange={draft.write}
        maxCharacters={maxResultCharacters}
        readOnly={finish.isPending}
        data-autofocus
      />
      <NewerResult result={task.result} replaces={draft.replaces} onSeen={() => draft.settle(task.result)} />
      {/* What was typed into them while they are being saved would be finished away. */}
      <Group grow maw={420}>
        <NumberInput
          label="Input tokens"
          placeholder="If you know"
          min={0}
          allowDecimal={false}
          readOnly={isBusy}
          value={input}
          onChange={(value) => setInput(typeof value === "number" ? value : "")}
        />
        <NumberInput
          label="Output tokens"
          placeholder="If you know"
          min={0}
          allowDecimal={false}
          readOnly={isBusy}
          value={output}
          onChange={(value) => setOutput(typeof value === "number" ? value : "")}
        />
      </Group>
      {error && (
        <Alert color="red" title={save.error ? "The answer was not saved" : "The task was not finished"}>
          {problemWords(error)}
        </Alert>
      )}
      <Group gap="sm">
        <Button onClick={saveAndFinish} loading={finish.isPending}>
          {isChanged ? "Save and finish" : "Finish"}
        </Button>
        <Button variant="default" onClick={saveOnly} loading={save.isPending} disabled={!isChanged}>
          Save answer
        </Button>
        <Button variant="default" onClick={onGiveBack}>
          Give back…
        </Button>
        <Text size="xs" c="dimmed" visibleFrom="sm">
          <Kbd>Ctrl</Kbd> <Kbd>S</Kbd> saves, <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> saves and finishes
        </Text>
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {finish.isPending ? "Finishing: nothing can be changed any more." : savedWords(draft)}
      </Text>
    </Stack>
  );
};
