// Chooses the task that a new one follows up on, by search.
import { Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { assigneeName } from "../../components/assignee-mark.tsx";
import { useClient } from "../../data/client-context.tsx";
import { taskQuery } from "../../data/task-data.ts";
import { foundTasksQuery } from "../../data/task-search-data.ts";
import { stateWord } from "../../lib/task-words.ts";

const typingMs = 200;

interface ParentPickerProps {
  /** The id of the chosen task, or nothing. */
  value: string;
  onChange: (id: string) => void;
  error?: string | null;
}

export const ParentPicker = ({ value, onChange, error }: ParentPickerProps) => {
  const client = useClient();
  const [words, setWords] = useState("");
  const [isNeeded, setIsNeeded] = useState(false);
  const { data: chosen } = useQuery({ ...taskQuery(client, value), enabled: value !== "" });
  // A chosen task puts its title into the field, which is no search for others.
  const [sought] = useDebouncedValue(words === chosen?.title ? "" : words, typingMs);
  const { data: found = [] } = useQuery({ ...foundTasksQuery(client, sought), enabled: isNeeded });
  const byId = new Map([...(chosen ? [chosen] : []), ...found].map((task) => [task.id, task]));
  return (
    <Select
      label="Follow-up of"
      description="The task it continues, if there is one."
      placeholder="Search a task"
      searchable
      clearable
      clearButtonProps={{ "aria-label": "Follow-up of no task" }}
      nothingFoundMessage="No task matches."
      data={[...byId.values()].map(({ id, title }) => ({ value: id, label: title }))}
      // What the service found stays; it looks into prompts too.
      filter={({ options }) => options}
      value={value || null}
      onChange={(id) => onChange(id ?? "")}
      onSearchChange={setWords}
      onFocus={() => setIsNeeded(true)}
      error={error}
      withScrollArea={false}
      styles={{ options: { maxHeight: 340, overflowY: "auto" } }}
      comboboxProps={{ withinPortal: false }}
      renderOption={({ option }) => {
        const task = byId.get(option.value);
        return (
          <div style={{ minWidth: 0 }}>
            <Text fw={500} lineClamp={1} style={{ overflowWrap: "anywhere" }}>
              <bdi>{option.label}</bdi>
            </Text>
            {task && (
              <Text size="xs" c="dimmed">
                {stateWord(task)} · <bdi>{assigneeName(task)}</bdi>
              </Text>
            )}
          </div>
        );
      }}
    />
  );
};
