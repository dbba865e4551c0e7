// Reads what stands behind options: numbers, priorities, repeated values.
import { InvalidArgumentError } from "commander";

/** What the UI calls them, too. */
const presets: Readonly<Record<string, number>> = { urgent: 100, high: 50, normal: 0, low: -50 };

/** A whole number; the service says which ones it takes. */
export const integer = (text: string): number => {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
};

/** A number, or one of the UI's words for some. */
export const priority = (text: string): number => {
  const preset = presets[text.toLowerCase()];
  if (preset !== undefined) return preset;
  if (!/^[+-]?\d{1,15}$/.test(text)) {
    throw new InvalidArgumentError(`It must be a whole number, or ${Object.keys(presets).join(", ")}.`);
  }
  return Number(text);
};

/** Of an option that may be repeated: all its values. */
export const collected = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** Options that were given, without those that were not: the contract knows no `undefined`. */
export const given = <T extends object>(options: T): { [N in keyof T]?: Exclude<T[N], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
