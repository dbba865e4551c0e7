// The form of a new task. What was typed survives errors, reloads, a session that ends and a closed tab.
import { Alert, Anchor, Button, Group, Kbd, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { getHotkeyHandler } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { maxPromptCharacters, maxTitleCharacters, type Task } from "@task-service/contract";
import { useEffect, useRef, useState } from "react";
import { MarkdownEditor } from "../../components/markdown-editor.tsx";
import { useCreateTaskOnce } from "../../data/task-creation.ts";
import type { KeptDraft } from "../../lib/kept-drafts.ts";
import { fieldProblems } from "../../lib/problem-words.ts";
import { type Sent, useSendOnce } from "../../lib/send-once.ts";
import { AssigneeFields } from "./assignee-fields.tsx";
import { GitLinkField } from "./git-link-field.tsx";
import { LabelsInput } from "./labels-input.tsx";
import { OrganizationPicker } from "./organization-picker.tsx";
import { ParentPicker } from "./parent-picker.tsx";
import { PriorityPicker } from "./priority-picker.tsx";
import {
  draftAfter,
  draftContent,
  draftFields,
  draftProblems,
  draftRequest,
  keptText,
  saysAnything,
  type TaskDraft,
} from "./task-draft.ts";

interface NewTaskFormProps {
  initial: TaskDraft;
  /** Was sent before a reload, and nobody knows whether it arrived. */
  sent: Sent | null;
  /** Where it is kept while it is written. */
  draft: KeptDraft;
  onCreated: (task: Task) => void;
}

/** A field that somebody types in keeps the focus. */
const isOnNoField = (focused: Element | null) =>
  !focused || focused === document.body || focused instanceof HTMLButtonElement;

export const NewTaskForm = ({ initial, sent, draft, onCreated }: NewTaskFormProps) => {
  const create = useCreateTaskOnce();
  const once = useSendOnce(sent);
  const element = useRef<HTMLFormElement>(null);
  const prompt = useRef<HTMLTextAreaElement>(null);
  const [created, setCreated] = useState<Task | null>(null);
  const form = useForm<TaskDraft>({
    initialValues: initial,
    onValuesChange: (values) => draft.keep(keptText(values, once.knownKey(draftContent(values)))),
    validate: draftProblems,
  });
  const { values, errors } = form;
  const change = (part: Partial<TaskDraft>) => {
    form.setValues(part);
    for (const field of Object.keys(part)) form.clearFieldError(field);
  };
  const errorOf = (field: keyof TaskDraft) => (errors[field] as string | undefined) ?? null;

  // The screen was focused before the form was there.
  useEffect(() => element.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus({ preventScroll: true }), []);

  const settle = (task: Task, filled: TaskDraft, isLast: boolean) => {
    once.forget();
    const now = form.getValues();
    const isGone = element.current === null;
    if ((isLast || isGone) && draftContent(now) === draftContent(filled)) {
      draft.forget();
      // Whoever went elsewhere meanwhile stays there.
      return isGone ? undefined : onCreated(task);
    }
    // What was typed since is another one, whichever button it was.
    const next = draftAfter(filled, now);
    form.setValues(next);
    if (!saysAnything(next)) draft.forget();
    setCreated(task);
    if (isOnNoField(document.activeElement)) prompt.current?.focus();
  };
  const send = async (filled: TaskDraft, isLast: boolean) => {
    if (create.isPending) return;
    const idempotencyKey = once.keyOf(draftContent(filled));
    draft.keep(keptText(filled, idempotencyKey));
    try {
      // What is given to `mutate` would not run any more once the form is left.
      settle(await create.mutateAsync({ body: draftRequest(filled), idempotencyKey }), filled, isLast);
    } catch (error) {
      form.setErrors(fieldProblems(error, draftFields).byField);
    }
  };
  const submit = (isLast: boolean) =>
    form.onSubmit(
      (filled) => void send(filled, isLast),
      // The first field that lacks something, once it says so.
      () => setTimeout(() => element.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus()),
    );
  const { rest } = create.error ? fieldProblems(create.error, draftFields) : { rest: null };

  return (
    <form
      ref={element}
      onSubmit={submit(true)}
      onKeyDown={getHotkeyHandler([["mod+Enter", () => submit(true)()]])}
      noValidate
    >
      {/* Stands outside the stack, which would leave a gap for it while it is empty. */}
      <div role="status">
        {created && (
          <Alert color="teal" title="Created" mb="lg">
            <Anchor renderRoot={(props) => <Link to="/tasks/$id" params={{ id: created.id }} {...props} />}>
              <bdi>{created.title}</bdi>
            </Anchor>
          </Alert>
        )}
      </div>
      <Stack gap="lg">
        {rest && (
          <Alert color="red" title="The task was not created">
            {rest}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <AssigneeFields
            value={values}
            onChange={change}
            error={errorOf("assignee") ?? errorOf("assignee_type")}
            autoFocus={!initial.assignee}
          />
          {values.assignee_type !== "agent" && (
            <OrganizationPicker
              value={values.organization}
              onChange={(organization) => change({ organization })}
              error={errorOf("organization")}
            />
          )}
        </SimpleGrid>
        <MarkdownEditor
          label="Prompt"
          description="What the worker is asked to do, in Markdown."
          placeholder="Fix the flaky login test …"
          value={values.prompt}
          onChange={(text) => change({ prompt: text })}
          maxCharacters={maxPromptCharacters}
          error={errorOf("prompt")}
          ref={prompt}
          isWide
          data-autofocus={initial.assignee ? true : undefined}
        />
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <PriorityPicker
            value={values.priority}
            onChange={(priority) => change({ priority })}
            error={errorOf("priority")}
          />
          <TextInput
            label="Title"
            description="Left empty, the prompt's first line is taken."
            maxLength={maxTitleCharacters}
            value={values.title}
            onChange={({ currentTarget }) => change({ title: currentTarget.value })}
            error={errorOf("title")}
          />
          <LabelsInput value={values.labels} onChange={(labels) => change({ labels })} error={errorOf("labels")} />
          <ParentPicker
            value={values.parent_id}
            onChange={(parent_id) => change({ parent_id })}
            error={errorOf("parent_id")}
          />
          <GitLinkField
            value={values.git_link}
            onChange={(git_link) => change({ git_link })}
            error={errorOf("git_link")}
          />
        </SimpleGrid>
        <Group>
          <Button type="submit" loading={create.isPending}>
            Create task
          </Button>
          <Button variant="default" disabled={create.isPending} onClick={() => submit(false)()}>
            Create another
          </Button>
          <Text size="xs" c="dimmed" visibleFrom="sm">
            <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> creates it
          </Text>
        </Group>
      </Stack>
    </form>
  );
};
