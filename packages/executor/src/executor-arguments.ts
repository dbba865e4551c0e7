// The command line of the executor: what it takes and how it is read.
import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { parseArgs } from "node:util";
import { maxLeaseSeconds, minLeaseSeconds } from "@task-service/contract";
import { placeholderFault } from "./command-placeholders.ts";
import { executorFlags } from "./executor-flags.ts";
import type { TaskFilters } from "./executor-options.ts";
import type { Command } from "./worker-process.ts";

export interface ExecutorArguments {
  /** With its placeholders. */
  readonly command: Command;
  readonly name: string;
  readonly slots: number;
  readonly filters: TaskFilters;
  readonly workDirectory: string;
  /** Undefined keeps no output. */
  readonly logDirectory: string | undefined;
  readonly leaseSeconds: number;
  readonly timeLimitSeconds: number | undefined;
  readonly memoryLimitBytes: number | undefined;
  readonly stopAtOnce: boolean;
}

export class UsageError extends Error {
  override readonly name = "UsageError";
}

const options = { ...executorFlags, help: { type: "boolean", default: false } } as const;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const parseOptions = (args: string[]) => {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

const units = { s: 1, m: 60, h: 3_600, M: 2 ** 20, G: 2 ** 30 };

/** A number above 0 with one of these units. */
const measure = (option: string, text: string | undefined, allowed: readonly (keyof typeof units)[], max: number) => {
  if (text === undefined) return undefined;
  const value = Number.parseInt(text, 10) * (units[text.at(-1) as keyof typeof units] ?? 0);
  if (!new RegExp(`^[1-9]\\d*[${allowed.join("")}]$`).test(text) || value > max) {
    throw new UsageError(
      `${option} is a number with ${allowed.join(" or ")} behind it, at most ${max / units[allowed.at(-1) ?? "s"]}${allowed.at(-1)}`,
    );
  }
  return value;
};

/**
 * Reads the arguments, or null for `--help`. Throws {@link UsageError}. Workers run elsewhere, so an argument of the
 * command that contains a slash and names something that exists in one of `startDirectories` is made absolute.
 */
export const parseExecutorArguments = (
  args: readonly string[],
  startDirectories: readonly string[],
): ExecutorArguments | null => {
  const end = args.indexOf("--");
  const own = parseOptions(end < 0 ? [...args] : args.slice(0, end));
  if (own.help) return null;

  const [file, ...rest] = end < 0 ? [] : args.slice(end + 1);
  if (!file) throw new UsageError("no command: put it behind `--`");
  const slots = Number(own.slots);
  if (!/^\d+$/.test(own.slots) || slots < 1 || slots > 100) throw new UsageError("--slots is a number from 1 to 100");
  if (!/^[^\s\p{C}]{1,100}$/u.test(own.name)) throw new UsageError("--name has 1 to 100 visible characters");
  const leaseSeconds = measure("--lease", own.lease, ["s", "m", "h"], maxLeaseSeconds) ?? minLeaseSeconds;
  if (leaseSeconds < minLeaseSeconds) throw new UsageError(`--lease is at least ${minLeaseSeconds}s`);
  const agentTypes = own["agent-type"] ?? [];
  if (!own.organization && !agentTypes.every((one) => uuid.test(one))) {
    throw new UsageError("--agent-type with a slug needs --organization");
  }
  const fault = placeholderFault([file, ...rest]);
  if (fault) throw new UsageError(fault);

  const found = (argument: string): string => {
    if (!argument.includes("/") || isAbsolute(argument)) return argument;
    return startDirectories.map((directory) => resolve(directory, argument)).find(existsSync) ?? argument;
  };
  return {
    command: [found(file), ...rest.map(found)],
    name: own.name,
    slots,
    filters: { ...(own.organization && { organization: own.organization }), agentTypes },
    workDirectory: resolve(own["work-dir"]),
    logDirectory: own["no-logs"] ? undefined : resolve(own.logs),
    leaseSeconds,
    timeLimitSeconds: measure("--time-limit", own["time-limit"], ["s", "m", "h"], 500 * units.h),
    memoryLimitBytes: measure("--memory-limit", own["memory-limit"], ["M", "G"], 1_024 * units.G),
    stopAtOnce: own["stop-at-once"],
  };
};
