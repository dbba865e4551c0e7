// Chooses a priority for some tasks: a preset, any number, or above everything in the queue.
import { Button, Group, NumberInput, Stack, Text } from "@mantine/core";
import { IconArrowBarToUp } from "@tabler/icons-react";
import { maxPriority, minPriority } from "@task-service/contract";
import { useState } from "react";
import { presets } from "../../lib/priorities.ts";
import { PresetIcon } from "../priority-mark.tsx";

interface PriorityFormProps {
  /** What they have now, where they all have the same. */
  initial?: number | undefined;
  onChoose: (priority: number) => void;
  onBump: () => void;
}

export const PriorityForm = ({ initial, onChoose, onBump }: PriorityFormProps) => {
  const [typed, setTyped] = useState<number | string>(initial ?? "");
  // What is typed is a text while it is not how a number is written: "070", "-".
  const priority = typed === "" ? Number.NaN : Number(typed);
  const isPriority = Number.isInteger(priority);
  return (
    <Stack gap="xs" w={232}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isPriority) onChoose(priority);
        }}
      >
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <NumberInput
            label="Priority"
            flex={1}
            data-autofocus
            min={minPriority}
            max={maxPriority}
            allowDecimal={false}
            clampBehavior="strict"
            value={typed}
            onChange={setTyped}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <Button type="submit" disabled={!isPriority}>
            Set
          </Button>
        </Group>
      </form>
      <Text size="xs" c="dimmed">
        Higher goes first.
      </Text>
      {presets.map((preset) => (
        <Button
          key={preset.name}
          variant="default"
          justify="flex-start"
          leftSection={<PresetIcon name={preset.name} />}
          rightSection={<Text c="dimmed">{preset.priority}</Text>}
          styles={{ label: { flex: 1 } }}
          aria-pressed={preset.priority === initial}
          onClick={() => onChoose(preset.priority)}
        >
          {preset.name}
        </Button>
      ))}
      <Button
        variant="default"
        justify="flex-start"
        leftSection={<IconArrowBarToUp size={16} />}
        styles={{ label: { flex: 1 } }}
        onClick={onBump}
      >
        Bump to top
      </Button>
    </Stack>
  );
};
