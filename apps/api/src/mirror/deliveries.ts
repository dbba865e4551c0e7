// What a webhook tells of an issue or a pull request, believed from its payload (D-33, D-34): in any order, any number of times.
import type { GitLink } from "@task-service/contract";
import type { HostIssue, HostRepository } from "../git/issue-reading.ts";
import type { Queryable } from "../platform/database.ts";
import { writeDeleted, writeDelivered } from "./git-state-queries.ts";
import { type MirrorDeps, shownOf } from "./issue-reads.ts";
import { findLinkedTasks, keyOf, type LinkedTask, type RepositoryKey } from "./linked-task-queries.ts";
import { findNamesOf, type MirroredRepository } from "./mirrored-repository-queries.ts";

export interface Delivery {
  repository: HostRepository;
  issue: HostIssue;
  /** It is gone from the host. */
  isDeleted: boolean;
}

/** An issue, by the names that a task has for it. */
export type LinkedIssue = Pick<GitLink, "owner" | "repo" | "number">;

const isReadable = (known: MirroredRepository | undefined): boolean =>
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
 * of its repository. Resolves to the issues of which only a read can tell what is true.
 */
export const applyDelivery = async (
  { sql, gitUrl }: MirrorDeps,
  { repository, issue, isDeleted }: Delivery,
): Promise<LinkedIssue[]> => {
  const shown = shownOf(gitUrl, repository, { ...issue, repository });
  const write = async (task: LinkedTask): Promise<boolean> => {
    if (!isDeleted) return writeDelivered(sql, task, shown);
    await writeDeleted(sql, task, shown);
    return true;
  };
  const questions: LinkedIssue[] = [];
  for (const { known, isOther, ...key } of await namesOf(sql, repository)) {
    for (const task of await findLinkedTasks(sql, key, [issue.number])) {
      // Of the repository that had this name, or of one that has it now: the host knows which.
      const isOpen = isOther || (await write(task));
      if (isOpen && isReadable(known)) questions.push(task.git_link);
    }
  }
  return questions;
};
