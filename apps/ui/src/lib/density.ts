// How close together things stand: comfortable or compact, kept in this browser.
import { useSyncExternalStore } from "react";

export const densities = ["comfortable", "compact"] as const;
export type Density = (typeof densities)[number];

const key = "density";
const listeners = new Set<() => void>();

const isDensity = (value: unknown): value is Density => densities.includes(value as Density);

const readDensity = (): Density => {
  const kept = localStorage.getItem(key);
  return isDensity(kept) ? kept : "comfortable";
};

/** Styles follow `data-density` of the page. */
export const applyDensity = (): void => {
  document.documentElement.dataset["density"] = readDensity();
};

export const setDensity = (density: Density): void => {
  localStorage.setItem(key, density);
  applyDensity();
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** For what is measured in script, as virtual rows are; all else follows by its style. */
export const useDensity = (): Density => useSyncExternalStore(subscribe, readDensity);
