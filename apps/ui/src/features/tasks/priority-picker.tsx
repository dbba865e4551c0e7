// Chooses a priority: a preset, or any number.
import { Group, Input, NumberInput, SegmentedControl } from "@mantine/core";
import { maxPriority, minPriority } from "@task-service/contract";
import { presets } from "../../lib/priorities.ts";

interface PriorityPickerProps {
  value: number;
  onChange: (priority: number) => void;
  error?: string | null;
}

export const PriorityPicker = ({ value, onChange, error }: PriorityPickerProps) => (
  <Input.Wrapper label="Priority" description="Higher goes first." error={error} labelElement="div">
    <Group gap="xs" mt={4} wrap="nowrap">
      <SegmentedControl
        flex={1}
        aria-label="Priority preset"
        value={String(value)}
        onChange={(priority) => onChange(Number(priority))}
        data={presets.map(({ name, priority }) => ({ value: String(priority), label: name }))}
      />
      <NumberInput
        aria-label="Priority number"
        w={88}
        min={minPriority}
        max={maxPriority}
        allowDecimal={false}
        clampBehavior="blur"
        value={value}
        onChange={(priority) => typeof priority === "number" && onChange(priority)}
      />
    </Group>
  </Input.Wrapper>
);
