// What Prometheus is told (D-35): a registry of our own, and metrics that are read when they are asked for.
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { within } from "./database.ts";

/** Of the process: memory, garbage collection, event loop, under their usual names. */
export const createMetrics = (): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
};

export interface Reading {
  labels?: Record<string, string>;
  value: number;
}

export interface MetricDefinition {
  /** Behind `task_service_`. */
  name: string;
  help: string;
  /** Labels are few and known: never an id, a name or a subject. */
  labels?: string[];
}

/** Below the patience of Prometheus, which is 10 s by default. */
const readingMs = 5000;

const readAll = async (read: () => readonly Reading[] | Promise<readonly Reading[]>): Promise<readonly Reading[]> => {
  try {
    return await within(readingMs, Promise.resolve(read()));
  } catch {
    // Nothing is a truthful answer, and the other metrics are wanted all the more while the database is away.
    return [];
  }
};

/** Has `read` called at each scrape; while it fails the metric has no values. */
export const addGauge = (
  registry: Registry,
  { name, help, labels = [] }: MetricDefinition,
  read: () => readonly Reading[] | Promise<readonly Reading[]>,
): void => {
  const gauge = new Gauge({
    name: `task_service_${name}`,
    help,
    labelNames: labels,
    registers: [registry],
    collect: async () => {
      const readings = await readAll(read);
      gauge.reset();
      if (readings.length === 0 && labels.length === 0) gauge.remove();
      for (const { labels: values = {}, value } of readings) gauge.set(values, value);
    },
  });
};

/** As {@link addGauge}, for what is counted elsewhere and only grows. */
export const addCounter = (
  registry: Registry,
  { name, help, labels = [] }: MetricDefinition,
  read: () => Promise<readonly Reading[]>,
): void => {
  const counter = new Counter({
    name: `task_service_${name}`,
    help,
    labelNames: labels,
    registers: [registry],
    collect: async () => {
      const readings = await readAll(read);
      counter.reset();
      for (const { labels: values = {}, value } of readings) counter.inc(values, value);
    },
  });
};
