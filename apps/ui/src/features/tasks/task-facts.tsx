// What the task is: everything about it but its words, each fact edited where it may be.
import { Group, Stack, Text } from "@mantine/core";
import type { Task } from "@task-service/contract";
import type { ReactNode } from "react";
import { CopyIcon } from "../../components/copy-icon.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { countWord } from "../../lib/task-words.ts";
import { AssigneeFact } from "./assignee-fact.tsx";
import { GitCard } from "./git-card.tsx";
import { LabelsFact } from "./labels-fact.tsx";
import { ParentFact } from "./parent-fact.tsx";
import { PriorityFact } from "./priority-fact.tsx";
import classes from "./task-facts.module.css";
import { TaskState } from "./task-state.tsx";
import { WhyWaiting } from "./why-waiting.tsx";

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

export const TaskFacts = ({ task }: { task: Task }) => (
  <Stack gap="md">
    <TaskState task={task} />
    {task.state === "queued" && task.assignee_type === "agent" && <WhyWaiting id={task.id} />}
    <dl className={classes.facts}>
      <Fact name="Priority">
        <PriorityFact task={task} />
      </Fact>
      <Fact name="Assigned to">
        <AssigneeFact task={task} />
      </Fact>
      <Fact name="Labels">
        <LabelsFact task={task} />
      </Fact>
      <Fact name="Organization">
        <bdi>{task.organization_slug}</bdi>
      </Fact>
      {task.executor && (
        <Fact name="Executor">
          <bdi>{task.executor}</bdi>
        </Fact>
      )}
      {task.parent_id && (
        <Fact name="Follow-up of">
          <ParentFact id={task.parent_id} />
        </Fact>
      )}
      <Fact name="Dispatches">{countWord(task.dispatch_count)}</Fact>
      <Fact name="Tokens">
        {countWord(task.input_tokens)} in · {countWord(task.output_tokens)} out
      </Fact>
      <Fact name="Created">
        <RelativeTime at={task.created_at} /> by <bdi>{task.created_by.name}</bdi>
      </Fact>
      <Fact name="Changed">
        <RelativeTime at={task.updated_at} />
      </Fact>
      <Fact name="Id">
        <Group gap={4} wrap="nowrap">
          <Text component="span" ff="monospace" size="xs" truncate title={task.id}>
            {task.id}
          </Text>
          <CopyIcon text={task.id} name="the id" />
        </Group>
      </Fact>
    </dl>
    <GitCard task={task} />
  </Stack>
);
