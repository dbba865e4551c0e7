// Creates a follow-up of the task in hand without leaving it.
import { Alert, Anchor, Button, Collapse, Group, Select, Stack, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Task, TaskCreate } from "@task-service/contract";
import { useState } from "react";
import { useKeptText } from "../../components/kept-draft.ts";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { meQuery } from "../../data/me-data.ts";
import { useCreateFollowUp } from "../../data/responder-data.ts";
import { problemWords } from "../../lib/problem-words.ts";
import { useSendOnce } from "../../lib/send-once.ts";
import { agentTypeOptions } from "./agent-type-options.ts";
import { useLeaveWarning } from "./leave-warning.ts";

export const FollowUpForm = ({ parent }: { parent: Task }) => {
  const client = useClient();
  const { data: agentTypes = [] } = useQuery(agentTypesQuery(client));
  const { data: me } = useQuery(meQuery(client));
  const create = useCreateFollowUp();
  /** Null until somebody opens or folds it. */
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  const once = useSendOnce();
  const { text: prompt, write, clear } = useKeptText(`follow-up/${me?.sub ?? ""}/${parent.id}`);
  // What was kept is not hidden behind a button.
  if (isOpen === null && prompt) setIsOpen(true);
  useLeaveWarning(prompt.trim() !== "");
  const [assignee, setAssignee] = useState("");
  const [created, setCreated] = useState<Task[]>([]);
  const submit = async () => {
    if (create.isPending) return;
    const body: TaskCreate = {
      prompt,
      assignee_type: "agent",
      assignee,
      parent_id: parent.id,
      priority: parent.priority,
    };
    try {
      // What is given to `mutate` would not run any more once the page is left.
      const task = await create.mutateAsync({ body, key: once.keyOf(JSON.stringify(body)) });
      setCreated([...created, task]);
    } catch {
      return;
    }
    once.forget();
    // What was written meanwhile is the next one.
    if (!clear(prompt)) return;
    setAssignee("");
    setIsOpen(false);
  };
  return (
    <Stack gap="sm" component="section" aria-labelledby="follow-ups">
      <Text component="h2" id="follow-ups" fw={600} m={0}>
        Follow-ups
      </Text>
      {created.map(({ id, title }) => (
        <Text key={id} role="status">
          Created{" "}
          <Anchor renderRoot={(props) => <Link to="/tasks/$id" params={{ id }} target="_blank" {...props} />}>
            <bdi>{title}</bdi>
          </Anchor>
        </Text>
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen === true}
          aria-controls="follow-up-form"
          onClick={() => setIsOpen(!isOpen)}
        >
          Create a follow-up
        </Button>
      </Group>
      <Collapse expanded={isOpen === true} id="follow-up-form">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <Stack gap="sm">
            <Select
              label="Agent type"
              placeholder="Choose who does it"
              data={agentTypeOptions(agentTypes)}
              value={assignee || null}
              onChange={(path) => setAssignee(path ?? "")}
              searchable
              required
              withAsterisk={false}
              nothingFoundMessage="No agent type by that name."
              comboboxProps={{ withinPortal: false }}
            />
            <Textarea
              label="Prompt"
              description="Its first line becomes the title. It gets this task’s priority."
              autosize
              minRows={3}
              required
              withAsterisk={false}
              value={prompt}
              onChange={({ currentTarget }) => write(currentTarget.value)}
            />
            {create.error && <Alert color="red">{problemWords(create.error)}</Alert>}
            <Group>
              <Button type="submit" size="xs" loading={create.isPending}>
                Create
              </Button>
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link to="/tasks/new" search={{ parent: parent.id }} target="_blank" {...props} />
                )}
              >
                All fields, in a new tab
              </Anchor>
            </Group>
          </Stack>
        </form>
      </Collapse>
    </Stack>
  );
};
