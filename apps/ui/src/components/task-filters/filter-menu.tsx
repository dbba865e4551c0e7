// Finds a filter: the groups first, then what one of them offers; what is typed finds in all of them at once.
import { Combobox, Group, Text, useCombobox } from "@mantine/core";
import { IconCheck, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState } from "react";
import type { TaskFilterValues } from "../../lib/task-filters.ts";
import { FilterButton } from "./filter-button.tsx";
import type { FilterGroup, FilterOption, GroupName } from "./filter-group.ts";
import classes from "./task-filters.module.css";

interface FilterMenuProps {
  groups: readonly FilterGroup[];
  onChange: (values: TaskFilterValues) => void;
  /** The group it shows; null for all of them, undefined while it is closed. */
  shown: GroupName | null | undefined;
  onShow: (shown: GroupName | null | undefined) => void;
}

const maxOptions = 100;

const placeholders: Partial<Record<GroupName, string>> = {
  Label: "A label",
  Person: "A person’s name",
  Priority: "A preset, or a number",
};

const FilterMenu = ({ groups, onChange, shown, onShow }: FilterMenuProps) => {
  const [search, setSearch] = useState("");
  const store = useCombobox({
    opened: shown !== undefined,
    onOpenedChange: (isOpen) => onShow(isOpen ? null : undefined),
    onDropdownOpen: () => store.focusSearchInput(),
    onDropdownClose: () => {
      setSearch("");
      store.resetSelectedOption();
      store.focusTarget();
    },
  });
  // It is loaded when it is first opened.
  const openAtFirst = useEffectEvent(() => shown !== undefined && store.focusSearchInput());
  useEffect(() => void openAtFirst(), []);

  const group = groups.find(({ name }) => name === shown);
  const isFinding = group === undefined && search.trim() !== "";
  const sections: { group: FilterGroup; options: FilterOption[] }[] = (group ? [group] : isFinding ? groups : [])
    .map((one) => ({ group: one, options: one.options(search.trim()).slice(0, maxOptions) }))
    .filter(({ options }) => options.length > 0);

  const show = (name: GroupName) => {
    setSearch("");
    onShow(name);
    store.resetSelectedOption();
    store.focusSearchInput();
  };

  const submit = (value: string) => {
    const [name, key] = JSON.parse(value) as [GroupName, string | null];
    if (key === null) return show(name);
    const option = sections.find((one) => one.group.name === name)?.options.find((one) => one.key === key);
    if (!option) return;
    onChange(option.toggled);
    // Within a group more may be chosen; what was typed has done its work.
    setSearch("");
    if (!group) store.closeDropdown();
  };

  return (
    <Combobox
      store={store}
      onOptionSubmit={submit}
      width={280}
      position="bottom-end"
      withinPortal={false}
      keepMounted={false}
      shadow="md"
    >
      <Combobox.Target targetType="button">
        <FilterButton onClick={() => store.toggleDropdown()} />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label={group ? `Filter by ${group.name.toLowerCase()}` : "Find a filter"}
          placeholder={group ? (placeholders[group.name] ?? group.name) : "Filter by…"}
          value={search}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value);
            store.updateSelectedOptionIndex();
          }}
          onKeyDown={(event) => {
            if (event.key !== "Backspace" || search || !group) return;
            event.preventDefault();
            onShow(null);
          }}
        />
        <Combobox.Options className={classes.options ?? ""} aria-label="Filters">
          {!group && !isFinding
            ? groups.map(({ name, chosen }) => (
                <Combobox.Option key={name} value={JSON.stringify([name, null])}>
                  <Group justify="space-between" wrap="nowrap">
                    <span>{name}</span>
                    <Group gap={4} wrap="nowrap" miw={0}>
                      <Text truncate size="xs" c="dimmed" maw={130}>
                        {chosen.join(", ")}
                      </Text>
                      <IconChevronRight size={14} aria-hidden />
                    </Group>
                  </Group>
                </Combobox.Option>
              ))
            : sections.map(({ group: { name }, options }) => (
                <Combobox.Group key={name} label={name}>
                  {options.map(({ key, label, detail, isOn }) => (
                    <Combobox.Option key={key} value={JSON.stringify([name, key])} active={isOn}>
                      <Group justify="space-between" wrap="nowrap">
                        <Text truncate component="bdi">
                          {label}
                        </Text>
                        <Group gap={4} wrap="nowrap">
                          <Text size="xs" c="dimmed">
                            {detail}
                          </Text>
                          {isOn && <IconCheck size={14} aria-label="chosen" role="img" />}
                        </Group>
                      </Group>
                    </Combobox.Option>
                  ))}
                </Combobox.Group>
              ))}
          {(group || isFinding) && sections.length === 0 && (
            <Combobox.Empty>
              {group && !search ? `Type a ${group.name.toLowerCase()} and press Enter.` : "Nothing by that name."}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
};

export default FilterMenu;
