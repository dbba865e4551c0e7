// Every key and what it does, for the dialog on `?`. A test sees to it that no key of a screen is missing here.
import { screenList } from "./screen-list.ts";

interface KeyGroup {
  title: string;
  /** The name of `useKeyBindings`, and what it does where a person is. */
  keys: readonly (readonly [combination: string, meaning: string])[];
}

export const keyList: readonly KeyGroup[] = [
  {
    title: "Everywhere",
    keys: [
      ["c", "New task"],
      ["/", "Search this screen, or everything"],
      ["Ctrl K", "Search or jump, while typing too"],
      ["Escape", "Close"],
      ["?", "These keys"],
    ],
  },
  { title: "Go to", keys: screenList.map(({ keys, label }) => [keys, label] as const) },
  {
    title: "In a list",
    keys: [
      ["j", "Next row"],
      ["k", "Previous row"],
      ["End", "Last row; Home the first"],
      ["Enter", "Open the row"],
      ["x", "Select the row"],
      ["X", "Select from the last selected row to this one"],
      ["u", "Show what has changed"],
    ],
  },
  {
    title: "With a task, or those selected",
    keys: [
      ["p", "Priority"],
      ["a", "Assign"],
      ["r", "Requeue"],
      ["z", "Undo, while it is offered"],
    ],
  },
];
