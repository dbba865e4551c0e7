// The filter by priority: a band, or any number and what lies above or below it.
import { maxPriority, minPriority } from "@task-service/contract";
import { type PresetName, presets } from "../../lib/priorities.ts";
import { type TaskFilterValues, withoutFilters } from "../../lib/task-filters.ts";
import { type FilterGroup, type FilterOption, searched } from "./filter-group.ts";

interface PriorityRange {
  min: number | undefined;
  max: number | undefined;
}

const rangeWords = ({ min, max }: PriorityRange): string => {
  if (min === max) return `${min}`;
  if (max === undefined) return `${min} or more`;
  return min === undefined ? `${max} or less` : `${min} to ${max}`;
};

const bandRange = (name: PresetName): PriorityRange => {
  const at = presets.findIndex((preset) => preset.name === name);
  const above = presets[at - 1];
  return { min: name === "Low" ? undefined : presets[at]?.priority, max: above && above.priority - 1 };
};

export const priorityGroup = (values: TaskFilterValues): FilterGroup => {
  const { priority_min: min, priority_max: max } = values;
  const cleared = withoutFilters(values, "priority_min", "priority_max");
  const optionOf = (label: string, range: PriorityRange): FilterOption => {
    const isOn = min === range.min && max === range.max;
    const chosen = {
      ...cleared,
      ...(range.min !== undefined && { priority_min: range.min }),
      ...(range.max !== undefined && { priority_max: range.max }),
    };
    return { key: rangeWords(range), label, detail: rangeWords(range), isOn, toggled: isOn ? cleared : chosen };
  };
  const bands = presets.map(({ name }) => optionOf(name, bandRange(name)));
  const typed = (search: string): FilterOption[] => {
    const number = search.trim() ? Number(search) : Number.NaN;
    if (!Number.isInteger(number) || number < minPriority || number > maxPriority) return [];
    return [
      { min: number, max: undefined },
      { min: undefined, max: number },
      { min: number, max: number },
    ].map((range) => ({ ...optionOf(rangeWords(range), range), detail: "" }));
  };
  const isChosen = min !== undefined || max !== undefined;
  const band = isChosen && bands.find(({ isOn }) => isOn);
  return {
    name: "Priority",
    options: (search) => {
      const own = typed(search);
      return own.length > 0 ? own : searched(bands, search);
    },
    chosen: isChosen ? [band ? band.label : rangeWords({ min, max })] : [],
    cleared,
  };
};
