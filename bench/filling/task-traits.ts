// What a task is given when it is created, drawn by chance: an assignee, a priority, labels, a link to the git host.
import { type Crowd, type FilledAgentType, labels, people, priorities, rareLabel } from "./crowd.ts";
import type { RandomSource } from "./random-source.ts";
import type { TaskRow } from "./task-rows.ts";

/** So few in a million have what is marked as rare. */
export const rareShare = 0.00002;

export interface Assignment {
  organization_id: string;
  assignee_type: "agent" | "user" | null;
  assignee: string | null;
  agentType: FilledAgentType | undefined;
}

export const drawAssignment = (random: RandomSource, crowd: Crowd): Assignment => {
  const kind = random.next();
  if (kind < 0.08) {
    const organization_id = random.pick(crowd.organizations, 2);
    const isPersons = kind < 0.06;
    const assignee = isPersons ? random.pick(people, 2) : null;
    return { organization_id, assignee_type: isPersons ? "user" : null, assignee, agentType: undefined };
  }
  const agentType = random.chance(0.001) ? random.pick(crowd.quietAgentTypes) : random.pick(crowd.agentTypes, 3);
  return { organization_id: agentType.organization_id, assignee_type: "agent", assignee: agentType.id, agentType };
};

export const drawPriority = (random: RandomSource): number => {
  // Most take what the screens offer, some a number of their own, a few any number at all.
  const kind = random.next();
  if (kind < 0.01) return random.below(2001) - 1000;
  return kind < 0.08 ? random.below(31) - 15 : random.pick(priorities);
};

export const drawLabels = (random: RandomSource): string[] => {
  const drawn = Array.from({ length: random.below(5) }, () => random.pick(labels, 2));
  return [...new Set([...drawn, ...(random.chance(rareShare) ? [rareLabel] : [])])];
};

export const drawGit = (random: RandomSource, createdMs: number): Pick<TaskRow, "git_link" | "git_state"> => {
  if (!random.chance(0.1)) return { git_link: null, git_state: null };
  const number = 1 + random.below(5000);
  const repo = `repository-${random.below(40, 2)}`;
  const kind = random.chance(0.6) ? "pull_request" : "issue";
  const url = `http://localhost:8084/owner/${repo}/${kind === "issue" ? "issues" : "pulls"}/${number}`;
  const git_link = { url, kind, owner: "owner", repo, number };
  if (random.chance(0.1)) return { git_link, git_state: null };
  const ended = kind === "issue" ? "closed" : random.pick(["closed", "merged", "merged"]);
  const state = random.chance(0.002) ? "unreadable" : random.chance(0.4) ? "open" : ended;
  const at = new Date(createdMs).toISOString();
  const git_state = {
    kind,
    state,
    draft: false,
    title: `Number ${number}`,
    labels: [],
    html_url: url,
    updated_at: at,
    synced_at: at,
  };
  return { git_link, git_state };
};
