// What the task is: everything about it but its words, each fact edited where it may be.
import { Badge, Group, Stack, Text } from "@mantine/core";
import type { Task } from "@task-service/contract";
import type { ReactNode } from "react";
import { RelativeTime } from "../../components/relative-time.tsx";
import { countWord } from "../../lib/task-words.ts";
import { AssigneeFact } from "./assignee-fact.tsx";
import { GitCard } from "./git-card.tsx";
import { PriorityFact } from "./priority-fact.tsx";
import classes from "./task-facts.module.css";
import { TaskState } from "./task-state.tsx";

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

export const TaskFacts = ({ task }: { task: Task }) => (
  <Stack gap="md">
    <TaskState task={task} />
    <dl className={classes.facts}>
      <Fact name="Priority">
        <PriorityFact task={task} />
      </Fact>
      <Fact name="Assigned to">
        <AssigneeFact task={task} />
      </Fact>
      <Fact name="Organization">{task.organization_slug}</Fact>
      {task.executor && <Fact name="Executor">{task.executor}</Fact>}
      <Fact name="Dispatches">{countWord(task.dispatch_count)}</Fact>
      <Fact name="Tokens">
        {countWord(task.input_tokens)} in · {countWord(task.output_tokens)} out
      </Fact>
      <Fact name="Labels">
        {task.labels.length === 0 ? (
          <Text c="dimmed">None</Text>
        ) : (
          <Group gap={4}>
            {task.labels.map((label) => (
              <Badge key={label} variant="default" tt="none" fw={400}>
                <bdi>{label}</bdi>
              </Badge>
            ))}
          </Group>
        )}
      </Fact>
      <Fact name="Created">
        <RelativeTime at={task.created_at} /> by <bdi>{task.created_by.name}</bdi>
      </Fact>
      <Fact name="Changed">
        <RelativeTime at={task.updated_at} />
      </Fact>
    </dl>
    <GitCard task={task} />
  </Stack>
);
