// Narrows a list of tasks: words to search for, filters as chips that can be taken off one by one, and its order.
import { Button, NativeSelect } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { agentTypesQuery } from "../../data/agent-type-data.ts";
import { useClient } from "../../data/client-context.tsx";
import { organizationsQuery } from "../../data/organization-data.ts";
import { isFiltered, type TaskFilterValues, type TaskSort, withoutFilters } from "../../lib/task-filters.ts";
import { SearchField } from "../search-field.tsx";
import { FilterButton } from "./filter-button.tsx";
import type { FilterGroup, GroupName } from "./filter-group.ts";
import { filterGroups } from "./filter-groups.ts";
import classes from "./task-filters.module.css";

const loadMenu = () => import("./filter-menu.tsx");
const FilterMenu = lazy(loadMenu);

interface TaskFilterBarProps {
  value: TaskFilterValues;
  onChange: (value: TaskFilterValues) => void;
  /** Groups that make no sense for this list: a queue has no state. */
  without?: readonly GroupName[];
  /** The orders to choose from, the list's own first; no choice without them. */
  sorts?: readonly TaskSort[];
}

const sortWords: Record<TaskSort, string> = {
  "-created_at": "Newest first",
  created_at: "Oldest first",
  "-updated_at": "Last changed first",
  queue: "Dispatch order",
};

const maxNamed = 2;

const chosenWords = (chosen: readonly string[]): string => {
  const rest = chosen.length - maxNamed;
  return chosen.slice(0, maxNamed).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
};

const FilterChip = ({ group, onOpen, onRemove }: { group: FilterGroup; onOpen: () => void; onRemove: () => void }) => (
  <li className={classes.chip}>
    <button type="button" className={classes.chipWords} title={group.chosen.join(", ")} onClick={onOpen}>
      {group.name}: <bdi>{chosenWords(group.chosen)}</bdi>
    </button>
    <button
      type="button"
      className={classes.chipRemove}
      aria-label={`Remove the filter ${group.name}`}
      onClick={onRemove}
    >
      <IconX size={14} aria-hidden />
    </button>
  </li>
);

export const TaskFilterBar = ({ value, onChange, without = [], sorts = [] }: TaskFilterBarProps) => {
  const client = useClient();
  const { data: agentTypes = [] } = useQuery(agentTypesQuery(client));
  const { data: organizations = [] } = useQuery(organizationsQuery(client));
  const [shown, setShown] = useState<GroupName | null | undefined>(undefined);
  const [isMenuWanted, setIsMenuWanted] = useState(false);
  const show = (group: GroupName | null) => {
    setIsMenuWanted(true);
    setShown(group);
  };
  const groups = filterGroups(value, { agentTypes, organizations }).filter(({ name }) => !without.includes(name));
  const chosen = groups.filter((group) => group.chosen.length > 0);
  const { sort, ...filters } = value;

  return (
    <search className={classes.bar} aria-label="Filters">
      <SearchField
        label="Search tasks"
        placeholder="Search titles and prompts"
        value={value.q ?? ""}
        onChange={(q) => onChange(q ? { ...value, q } : withoutFilters(value, "q"))}
      />
      <div className={classes.menu}>
        {isMenuWanted ? (
          <Suspense fallback={<FilterButton />}>
            <FilterMenu groups={groups} onChange={onChange} shown={shown} onShow={setShown} />
          </Suspense>
        ) : (
          <FilterButton onPointerEnter={loadMenu} onFocus={loadMenu} onClick={() => show(null)} />
        )}
      </div>
      {sorts[0] && (
        <NativeSelect
          className={classes.order ?? ""}
          aria-label="Order"
          value={sort ?? sorts[0]}
          onChange={({ currentTarget }) => {
            const next = currentTarget.value as TaskSort;
            onChange(next === sorts[0] ? filters : { ...filters, sort: next });
          }}
          data={sorts.map((one) => ({ value: one, label: sortWords[one] }))}
        />
      )}
      {isFiltered(value) && (
        <div className={classes.chosen}>
          {chosen.length > 0 && (
            <ul className={classes.chips} aria-label="Chosen filters">
              {chosen.map((group) => (
                <FilterChip
                  key={group.name}
                  group={group}
                  onOpen={() => show(group.name)}
                  onRemove={() => onChange(group.cleared)}
                />
              ))}
            </ul>
          )}
          <Button size="compact-sm" variant="subtle" onClick={() => onChange(sort ? { sort } : {})}>
            Clear all
          </Button>
        </div>
      )}
    </search>
  );
};
