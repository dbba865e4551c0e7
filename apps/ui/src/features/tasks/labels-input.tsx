// Writes labels, and suggests those in use lately.
import { TagsInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { maxLabels } from "@task-service/contract";
import { useState } from "react";
import { useClient } from "../../data/client-context.tsx";
import { recentLabelsQuery } from "../../data/label-data.ts";

const maxLabelCharacters = 50;

interface LabelsInputProps {
  value: string[];
  onChange: (labels: string[]) => void;
  error?: string | null;
}

export const LabelsInput = ({ value, onChange, error }: LabelsInputProps) => {
  const [isNeeded, setIsNeeded] = useState(false);
  const { data: suggestions = [] } = useQuery({ ...recentLabelsQuery(useClient()), enabled: isNeeded });
  return (
    <TagsInput
      label="Labels"
      description="Enter adds one."
      data={suggestions}
      value={value}
      onChange={onChange}
      onFocus={() => setIsNeeded(true)}
      maxTags={maxLabels}
      maxLength={maxLabelCharacters}
      error={error}
      clearable
      clearButtonProps={{ "aria-label": "Remove all labels" }}
      withScrollArea={false}
      styles={{ options: { maxHeight: 220, overflowY: "auto" } }}
      comboboxProps={{ withinPortal: false }}
    />
  );
};
