// The presets the UI names for a task's priority (D-12); any number between and beyond them is allowed.

export const presets = [
  { name: "Urgent", priority: 100 },
  { name: "High", priority: 50 },
  { name: "Normal", priority: 0 },
  { name: "Low", priority: -50 },
] as const;

export type PresetName = (typeof presets)[number]["name"];

/** The band a priority lies in: Urgent from 100, High from 50, Normal from 0, Low below. */
export const presetOf = (priority: number): PresetName =>
  presets.find((preset) => priority >= preset.priority)?.name ?? "Low";
