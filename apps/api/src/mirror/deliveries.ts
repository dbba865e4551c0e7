// What a webhook tells of an issue or a pull request, believed from its payload (D-33, D-34): in any order, any number of times.
import { isDeepStrictEqual } from "node:util";
import type { HostIssue, HostRepository } from "../git/issue-reading.ts";
import type { Queryable } from "../platform/database.ts";
import { type Asking, writeDeleted, writeDelivered } from "./git-state-queries.ts";
import { type MirrorDeps, shownOf, writeEach } from "./issue-reads.ts";
import {
  findLinkedTasks,
  keyOf,
  type LinkedIssue,
  type LinkedTask,
  type RepositoryKey,
} from "./linked-task-queries.ts";
import { findNamesOf, type MirroredRepository } from "./mirrored-repository-queries.ts";
import { ask } from "./question-queries.ts";

export interface Delivery {
  repository: HostRepository;
  issue: HostIssue;
  /** It is gone from the host. */
  isDeleted: boolean;
  /** Another one of the same second told otherwise. */
  isContested?: boolean;
}

/** Deliveries that tell of the same thing: of two that wait, {@link newerOf} them is enough. */
export const subjectOf = ({ repository, issue, isDeleted }: Delivery): string =>
  `${repository.id}#${issue.number}${isDeleted ? " deleted" : ""}`;

export const newerOf = (waiting: Delivery, arrived: Delivery): Delivery => {
  const [before = "", now = ""] = [waiting.issue.updated_at ?? "", arrived.issue.updated_at ?? ""];
  if (now !== before) return now > before ? arrived : waiting;
  return isDeepStrictEqual(waiting.issue, arrived.issue) ? waiting : { ...arrived, isContested: true };
};

const canBeAsked = (known: MirroredRepository | undefined): boolean =>
  known?.read_to != null && known.unreadable_since === null;

const isSame = (one: RepositoryKey, other: RepositoryKey): boolean =>
  one.owner_key === other.owner_key && one.repo_key === other.repo_key;

interface Name extends RepositoryKey {
  known: MirroredRepository | undefined;
  /** What is known by this name is of another repository. */
  isOther: boolean;
}

/** All names by which tasks may be linked to the repository. */
const namesOf = async (sql: Queryable, repository: HostRepository): Promise<Name[]> => {
  const key = keyOf(repository);
  const all = await findNamesOf(sql, key, repository.id);
  const own = all.find((one) => isSame(one, key));
  const isOther = own?.repository_id != null && own.repository_id !== repository.id;
  const others = all.filter((one) => one !== own);
  return [
    { ...key, known: own, isOther },
    ...others.map((one) => ({ owner_key: one.owner_key, repo_key: one.repo_key, known: one, isOther: false })),
  ];
};

/**
 * Writes what the delivery tells, unless something newer is known, to all tasks that are linked to the issue by any name
 * of its repository. Resolves to the issues of which only a read can tell what is true; each was asked about as well.
 */
export const applyDelivery = async (
  deps: MirrorDeps,
  { repository, issue, isDeleted, isContested }: Delivery,
): Promise<LinkedIssue[]> => {
  const { sql, gitUrl } = deps;
  const shown = shownOf(gitUrl, repository, { ...issue, repository });
  const write = isDeleted ? writeDeleted : writeDelivered;
  const asked: LinkedTask[] = [];
  for (const { known, isOther, ...key } of await namesOf(sql, repository)) {
    const asks: Asking = !canBeAsked(known) ? "never" : isContested ? "always" : "in doubt";
    const tasks = await findLinkedTasks(sql, key, [issue.number]);
    // Of the repository that had this name, or of one that has it now: the host knows which.
    if (isOther) {
      if (asks === "never") continue;
      for (const task of tasks.slice(0, 1)) {
        await ask(sql, task.git_link);
        asked.push(task);
      }
      continue;
    }
    const held = await writeEach(deps, tasks, async (task) => {
      if (await write(sql, task, shown, asks)) asked.push(task);
    });
    asked.push(...held);
  }
  return asked.map(({ git_link }) => git_link);
};
