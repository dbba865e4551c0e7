// Limits of a worker that the operating system keeps: memory, where it can.
import { spawnSync } from "node:child_process";
import type { Command } from "./worker-process.ts";

/** The command under a limit of `bytes` for the memory that each of its processes may write to. */
export type MemoryLimit = (command: Command) => Command;

/**
 * Through `prlimit` of Linux, which limits data and not addresses: Node, Java and Go reserve many more of those than
 * they use. Undefined where there is none.
 */
export const createMemoryLimit = (bytes: number): MemoryLimit | undefined => {
  const prefix = ["prlimit", `--data=${bytes}`, "--core=0"] as const;
  const works = process.platform === "linux" && spawnSync("prlimit", ["--data=1073741824", "true"]).status === 0;
  return works ? (command) => [...prefix, ...command] : undefined;
};
