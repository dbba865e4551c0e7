// How to start an executor: the command to copy, what stands in it, and the other way, doing a task oneself.
import { Button, Code, CopyButton, Group, Stack, Text, Title } from "@mantine/core";
import { IconCheck, IconCopy, IconUserCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";

const startCommand = (): string =>
  [
    `npx task-service login ${window.location.origin}`,
    "npx task-service run --slots 2 -- claude -p --append-system-prompt-file {persona_file}",
  ].join("\n");

export const StartExecutor = () => {
  const command = startCommand();
  return (
    <Stack gap="sm" maw={720} component="section" aria-labelledby="start-executor">
      <Title order={2} size="h4" id="start-executor">
        Start an executor
      </Title>
      <Text>
        On a machine with this service’s repository: sign in once, then name the command that works on a task. It gets
        the prompt on its standard input and runs once per task, here two at a time.
      </Text>
      <Code block tabIndex={0} role="region" aria-label="Command">
        {command}
      </Code>
      <Group gap="sm">
        <CopyButton value={command}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
            >
              {copied ? "Copied" : "Copy the command"}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          leftSection={<IconUserCheck size={16} />}
          renderRoot={(props) => <Link to="/respond" {...props} />}
        >
          Take a task yourself
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Any command-line agent, program or local model will do: <Code>docs/executors.md</Code> in the repository has a
        line for each.
      </Text>
    </Stack>
  );
};
