// What a list of tasks is narrowed by, as a person chooses it: kept in the page's address, and asked of the API.
import {
  type AssigneeType,
  assigneeTypes,
  gitStates,
  maxLabels,
  maxPriority,
  maxQueryCharacters,
  minPriority,
  type TaskQuery,
  taskSorts,
} from "@task-service/contract";
import { joinList, splitList } from "./search-lists.ts";

export const stateFilters = ["queued", "running", "ended", "dispatched"] as const;
export type StateFilter = (typeof stateFilters)[number];
export type TaskSort = (typeof taskSorts)[number];
export type GitStateFilter = (typeof gitStates)[number];

/** The service's own names, but for `state`, which also says what `live` says, and `created_by`, which is the reader. */
export interface TaskFilterValues {
  q?: string;
  state?: StateFilter;
  /** Slugs or ids; any of them. */
  organization?: readonly string[];
  assignee_type?: AssigneeType;
  /** Agent types as `<organization>/<slug>` or by id, people by name; any of them. */
  assignee?: readonly string[];
  /** Any of them. */
  label?: readonly string[];
  created_by?: "me";
  needs_attention?: true;
  git_state?: GitStateFilter;
  priority_min?: number;
  priority_max?: number;
  sort?: TaskSort;
}

/** How they stand in the address: short, and to be read by a person. */
export interface TaskFilterSearch {
  q?: string;
  state?: string;
  org?: string;
  assigned?: string;
  for?: string;
  label?: string;
  by?: string;
  attention?: true;
  git?: string;
  min?: number;
  max?: number;
  sort?: string;
}

const maxListed = 100;

const without = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

const cut = (text: string): string => [...text.trim()].slice(0, maxQueryCharacters).join("").trim();

/** A character that no text of the service holds. */
const nul = "\0";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const wordsOf = (value: unknown): string | undefined => {
  const words = cut(textOf(value));
  return words === "" || words.includes(nul) ? undefined : words;
};

const oneOf = <const T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((one) => one === value);

const listOf = (value: unknown, maxItems: number, maxCharacters: number): readonly string[] | undefined => {
  const items = splitList(textOf(value))
    .map((item) => item.trim())
    .filter((item) => item && !item.includes(nul) && [...item].length <= maxCharacters);
  const distinct = [...new Set(items)].slice(0, maxItems);
  return distinct.length > 0 ? distinct : undefined;
};

const priorityOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() ? Number(value) : value;
  const isPriority = Number.isInteger(number) && Number(number) >= minPriority && Number(number) <= maxPriority;
  return isPriority ? Number(number) + 0 : undefined;
};

/** Bounds the wrong way round mean what lies between them. */
const rangeOf = (min: number | undefined, max: number | undefined) =>
  min !== undefined && max !== undefined && min > max
    ? { priority_min: max, priority_max: min }
    : { priority_min: min, priority_max: max };

/** Reads the filters from the parsed search of an address; what is unknown or damaged is left out. */
export const filtersFromSearch = (search: Readonly<Record<string, unknown>>): TaskFilterValues =>
  without<{ [F in keyof TaskFilterValues]: TaskFilterValues[F] | undefined }>({
    q: wordsOf(search["q"]),
    state: oneOf(stateFilters, search["state"]),
    organization: listOf(search["org"], maxListed, 40),
    assignee_type: oneOf(assigneeTypes, search["assigned"]),
    assignee: listOf(search["for"], maxListed, 255),
    label: listOf(search["label"], maxLabels, 50),
    created_by: oneOf(["me"], search["by"]),
    needs_attention: search["attention"] === true || search["attention"] === "true" ? true : undefined,
    git_state: oneOf(gitStates, search["git"]),
    ...rangeOf(priorityOf(search["min"]), priorityOf(search["max"])),
    sort: oneOf(taskSorts, search["sort"]),
  }) as TaskFilterValues;

/** The address's search for them; reading it gives the same filters. */
export const searchFromFilters = (filters: TaskFilterValues): TaskFilterSearch =>
  without<{ [K in keyof TaskFilterSearch]: TaskFilterSearch[K] | undefined }>({
    q: wordsOf(filters.q),
    state: filters.state,
    org: filters.organization?.length ? joinList(filters.organization) : undefined,
    assigned: filters.assignee_type,
    for: filters.assignee?.length ? joinList(filters.assignee) : undefined,
    label: filters.label?.length ? joinList(filters.label) : undefined,
    by: filters.created_by,
    attention: filters.needs_attention,
    git: filters.git_state,
    min: filters.priority_min,
    max: filters.priority_max,
    sort: filters.sort,
  }) as TaskFilterSearch;

const stateQueries: Record<StateFilter, Pick<TaskQuery, "state" | "live">> = {
  queued: { state: "queued" },
  running: { live: true },
  ended: { state: "dispatched", live: false },
  dispatched: { state: "dispatched" },
};

/** The API's query for them, without its paging; `me` is the `sub` of who is signed in. */
export const queryFromFilters = (filters: TaskFilterValues, me: string): Omit<TaskQuery, "limit" | "cursor"> => {
  const { state, created_by, organization, assignee, label, ...rest } = filters;
  return {
    ...rest,
    ...(state && stateQueries[state]),
    ...(created_by && { created_by: me }),
    ...(organization && { organization: [...organization] }),
    ...(assignee && { assignee: [...assignee] }),
    ...(label && { label: [...label] }),
  };
};

/** Whether they leave anything out; an order does not. */
export const isFiltered = ({ sort: _sort, ...filters }: TaskFilterValues): boolean => Object.keys(filters).length > 0;

/** The same filters without some of them. */
export const withoutFilters = (
  filters: TaskFilterValues,
  ...fields: readonly (keyof TaskFilterValues)[]
): TaskFilterValues =>
  Object.fromEntries(
    Object.entries(filters).filter(([field]) => !fields.includes(field as keyof TaskFilterValues)),
  ) as TaskFilterValues;
