// Says what an executor does and whom it serves, in words.
import type { Executor } from "@task-service/contract";
import { countOf } from "../../lib/number-words.ts";

export type ExecutorStanding = "working" | "waiting" | "quiet";

export const standingOf = ({ live_dispatches, is_waiting }: Executor): ExecutorStanding =>
  live_dispatches > 0 ? "working" : is_waiting ? "waiting" : "quiet";

const standingWords: Record<ExecutorStanding, string> = {
  working: "Working",
  waiting: "Waiting for a task",
  quiet: "Quiet",
};

/** "Working, takes more": one sentence for a badge. */
export const standingWord = (executor: Executor): string => {
  const standing = standingOf(executor);
  return standing === "working" && executor.is_waiting ? "Working, waiting for more" : standingWords[standing];
};

/** Its room: "2 free slots", "no free slot". */
export const slotsWord = ({ free_slots }: Executor): string =>
  free_slots === 0 ? "no free slot" : countOf(free_slots, "free slot");

/** The filter it signalled with: "developer and tester of acme", "every agent type". */
export const servesWord = ({ organization, agent_types }: Executor): string => {
  const types =
    agent_types && new Intl.ListFormat("en", { type: "conjunction" }).format(agent_types.map(({ slug }) => slug));
  const what = types === null ? "every agent type" : types || "no agent type";
  return organization ? `${what} of ${organization.slug}` : what;
};

/** The page's line of numbers. */
export const executorNumbers = (executors: readonly Executor[]): string => {
  const count = (standing: ExecutorStanding) => executors.filter((one) => standingOf(one) === standing).length;
  return [
    `${countOf(executors.length, "executor")} seen in the last hour`,
    `${count("working")} working`,
    `${count("waiting")} waiting`,
  ].join(" · ");
};
