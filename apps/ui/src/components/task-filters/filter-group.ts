// A group of filters as a person sees it: what it offers and what is chosen; and the kinds of group that there are more than one of.
import { type TaskFilterValues, withoutFilters } from "../../lib/task-filters.ts";

export type GroupName =
  | "State"
  | "Agent type"
  | "Person"
  | "Assigned to"
  | "Organization"
  | "Priority"
  | "Label"
  | "Created by"
  | "Git";

export interface FilterOption {
  /** Unique in its group. */
  key: string;
  label: string;
  detail?: string;
  isOn: boolean;
  /** The filters once it is chosen, or given up if it is on. */
  toggled: TaskFilterValues;
}

export interface FilterGroup {
  name: GroupName;
  /** What it offers to somebody who has typed this. */
  options: (search: string) => FilterOption[];
  /** What is chosen, in words; empty if nothing is. */
  chosen: readonly string[];
  cleared: TaskFilterValues;
}

const isIn = (words: string, search: string): boolean =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.toLowerCase().includes(word));

/** Those in whose words every word that was typed occurs. */
export const searched = (options: readonly FilterOption[], search: string) =>
  options.filter(({ label, detail = "" }) => isIn(`${label} ${detail}`, search));

type ListField = "organization" | "assignee" | "label";
type WordField = Exclude<keyof TaskFilterValues, ListField>;

/** With the value chosen, or given up if it was. */
export const withWord = <F extends WordField>(
  values: TaskFilterValues,
  field: F,
  value: TaskFilterValues[F],
): TaskFilterValues => (values[field] === value ? withoutFilters(values, field) : { ...values, [field]: value });

/** With this list; an empty one is no filter. */
export const withList = (values: TaskFilterValues, field: ListField, list: readonly string[]): TaskFilterValues =>
  list.length === 0 ? withoutFilters(values, field) : { ...values, [field]: list };

/** With the item taken into the list, or out of it. */
export const withItem = (values: TaskFilterValues, field: ListField, item: string): TaskFilterValues => {
  const list = values[field] ?? [];
  return withList(values, field, list.includes(item) ? list.filter((one) => one !== item) : [...list, item]);
};

/** A choice of one word out of a few. */
export const wordGroup = <F extends "git_state" | "assignee_type">(
  name: GroupName,
  values: TaskFilterValues,
  field: F,
  words: Readonly<Record<NonNullable<TaskFilterValues[F]>, string>>,
): FilterGroup => {
  const chosen = values[field];
  const all = Object.entries<string>(words).map(([key, label]) => ({
    key,
    label,
    isOn: key === chosen,
    toggled: withWord(values, field, key as TaskFilterValues[F]),
  }));
  return {
    name,
    options: (search) => searched(all, search),
    chosen: chosen ? [words[chosen]] : [],
    cleared: withoutFilters(values, field),
  };
};

/** Items that a person types, those already chosen first. */
export const typedGroup = (
  name: GroupName,
  values: TaskFilterValues,
  field: ListField,
  chosen: readonly string[],
): FilterGroup => {
  const optionOf = (item: string) => ({
    key: item,
    label: item,
    isOn: chosen.includes(item),
    toggled: withItem(values, field, item),
  });
  return {
    name,
    options: (search) => {
      const typed = search.trim();
      return [
        ...searched(chosen.map(optionOf), search),
        ...(typed && !chosen.includes(typed) ? [optionOf(typed)] : []),
      ];
    },
    chosen,
    cleared: withList(
      values,
      field,
      (values[field] ?? []).filter((item) => !chosen.includes(item)),
    ),
  };
};
