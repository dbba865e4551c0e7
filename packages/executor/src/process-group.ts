// Ending a whole process group: the worker and everything it started.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const lookEveryMs = 20;

/** False when no process of the group is left. Signal 0 only looks. */
const signalGroup = (groupId: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-groupId, signal);
  } catch {
    return false;
  }
};

/** From `/proc/<pid>/stat`: the name in brackets, which may hold anything, then state, parent and group. */
const isLivingMember = (pid: string, groupId: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(group) === groupId && state !== "Z";
  } catch {
    return false;
  }
};

/** Where process 1 does not reap orphans (Node in a container), they stay in their group as zombies: not living. */
const hasLivingMembers = (groupId: number): boolean => {
  if (!signalGroup(groupId, 0)) return false;
  if (process.platform !== "linux") return true;
  return readdirSync("/proc").some((name) => /^\d+$/.test(name) && isLivingMember(name, groupId));
};

/** SIGTERM, and SIGKILL for what is left after `graceMs`. Resolves when the group is gone or killed. */
export const endProcessGroup = async (groupId: number, graceMs: number): Promise<void> => {
  if (!signalGroup(groupId, "SIGTERM")) return;
  const deadlineMs = performance.now() + graceMs;
  while (hasLivingMembers(groupId)) {
    if (performance.now() >= deadlineMs) {
      signalGroup(groupId, "SIGKILL");
      return;
    }
    await sleep(lookEveryMs);
  }
};
