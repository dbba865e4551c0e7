// The form of a new task. What was typed survives errors, reloads and a session that ends.
import { Alert, Button, Group, Kbd, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { getHotkeyHandler } from "@mantine/hooks";
import { maxLabels, maxTitleCharacters, type Task } from "@task-service/contract";
import { MarkdownEditor } from "../../components/markdown-editor.tsx";
import { useCreateTask } from "../../data/task-mutations.ts";
import { fieldProblems } from "../../lib/problem-words.ts";
import { AssigneeFields } from "./assignee-fields.tsx";
import { OrganizationPicker } from "./organization-picker.tsx";
import { PriorityPicker } from "./priority-picker.tsx";
import {
  draftFields,
  draftProblems,
  draftRequest,
  forgetDraft,
  keepDraft,
  loadDraft,
  type TaskDraft,
} from "./task-draft.ts";

interface NewTaskFormProps {
  parent?: string;
  /** An agent type chosen beforehand. */
  agent?: string;
  onCreated: (task: Task) => void;
}

export const NewTaskForm = ({ parent, agent, onCreated }: NewTaskFormProps) => {
  const create = useCreateTask();
  const form = useForm<TaskDraft>({
    initialValues: { ...loadDraft(parent), ...(agent && { assignee_type: "agent", assignee: agent }) },
    onValuesChange: (draft) => keepDraft(parent, draft),
    validate: draftProblems,
  });
  const { values, errors } = form;
  const change = (part: Partial<TaskDraft>) => {
    form.setValues(part);
    for (const field of Object.keys(part)) form.clearFieldError(field);
  };
  const errorOf = (field: keyof TaskDraft) => (errors[field] as string | undefined) ?? null;

  const submit = form.onSubmit((draft) =>
    create.mutate(draftRequest(draft, parent), {
      onSuccess: (task) => {
        forgetDraft(parent);
        onCreated(task);
      },
      onError: (error) => form.setErrors(fieldProblems(error, draftFields).byField),
    }),
  );
  const { rest } = create.error ? fieldProblems(create.error, draftFields) : { rest: null };

  return (
    <form onSubmit={submit} onKeyDown={getHotkeyHandler([["mod+Enter", () => submit()]])} noValidate>
      <Stack gap="lg">
        {rest && (
          <Alert color="red" title="The task was not created">
            {rest}
          </Alert>
        )}
        <AssigneeFields
          value={values}
          onChange={change}
          error={errorOf("assignee") ?? errorOf("assignee_type")}
          autoFocus={!values.assignee}
        />
        {values.assignee_type !== "agent" && (
          <OrganizationPicker
            value={values.organization}
            onChange={(organization) => change({ organization })}
            error={errorOf("organization")}
          />
        )}
        <MarkdownEditor
          label="Prompt"
          description="What the worker is asked to do, in Markdown."
          placeholder="Fix the flaky login test …"
          value={values.prompt}
          onChange={(prompt) => change({ prompt })}
          error={errorOf("prompt")}
          data-autofocus={values.assignee ? true : undefined}
        />
        <PriorityPicker
          value={values.priority}
          onChange={(priority) => change({ priority })}
          error={errorOf("priority")}
        />
        <TextInput
          label="Title"
          description="Left empty, the prompt's first line is taken."
          maxLength={maxTitleCharacters}
          {...form.getInputProps("title")}
        />
        <TagsInput
          label="Labels"
          description="Enter adds one."
          maxTags={maxLabels}
          clearable
          {...form.getInputProps("labels")}
        />
        <Group justify="space-between">
          <Button type="submit" loading={create.isPending}>
            Create task
          </Button>
          <Text size="xs" c="dimmed" visibleFrom="sm">
            <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> creates it
          </Text>
        </Group>
      </Stack>
    </form>
  );
};
