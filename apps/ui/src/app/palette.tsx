// Search and jump: screens, tasks, agent types, organizations and what can be done, on Ctrl K or `/`.
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import "@mantine/spotlight/styles.layer.css";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useReturnedFocus } from "../lib/returned-focus.ts";
import classes from "./palette.module.css";
import { usePaletteGroups } from "./palette-groups.tsx";

const maxShownPerGroup = 8;
const [store, palette] = createSpotlight();

/** What is found only after a while is not selected by itself, yet the first of it is meant. */
const takeFirst = ({ key }: KeyboardEvent) => {
  if (key !== "Enter" || document.querySelector("[data-action][data-selected]")) return;
  document.querySelector<HTMLElement>("[data-action]")?.click();
};

interface PaletteProps {
  onClose: () => void;
  onShowKeys: () => void;
}

const Palette = ({ onClose, onShowKeys }: PaletteProps) => {
  useReturnedFocus();
  const [words, setWords] = useState("");
  const { groups, isSearching } = usePaletteGroups(words, onShowKeys);
  useEffect(() => palette.open(), []);
  return (
    <Spotlight
      store={store}
      classNames={{ actionsGroup: classes.group ?? "" }}
      query={words}
      onQueryChange={setWords}
      actions={groups}
      // The groups hold what was found already.
      filter={(_, actions) => actions}
      limit={maxShownPerGroup * groups.length}
      shortcut={null}
      scrollable
      maxHeight={420}
      nothingFound={isSearching ? "Searching…" : "Nothing is found by that name."}
      onSpotlightClose={onClose}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: "Search or jump…",
        "aria-label": "Search or jump",
        onKeyDown: takeFirst,
      }}
    />
  );
};

export default Palette;
