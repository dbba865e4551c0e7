// What the host says of issues and pull requests now, written to the tasks that are linked to them (D-34).
import { type Repository, repositoryUrl } from "../git/git-address.ts";
import type { IssueHost } from "../git/git-host-issues.ts";
import type { HostIssue, HostRepository } from "../git/issue-reading.ts";
import type { Sql } from "../platform/database.ts";
import type { Logger } from "../platform/logger.ts";
import { forgetState, type Shown, writeRead, writeUnreadable } from "./git-state-queries.ts";
import {
  databaseTime,
  findLinkedTasks,
  keyOf,
  type LinkedTask,
  listLinkedTasks,
  type RepositoryKey,
} from "./linked-task-queries.ts";
import { findMirrored, type MirroredRepository, noteRead, replaceRepository } from "./mirrored-repository-queries.ts";
import { ask, settle } from "./question-queries.ts";

export interface MirrorDeps {
  sql: Sql;
  host: IssueHost;
  gitUrl: string;
  log: Logger;
}

/** What becomes known during a read has it repeated; somebody who changes an issue all the time is left to the next look. */
const maxAttempts = 3;

/** So many tasks that others hold are waited for, 2 s each; the rest may be held by the same. */
const locksBorne = 3;

const paths = { issue: "issues", pull_request: "pulls" } as const;

/** What is shown of an issue. Its address is made of names, never copied; those of the host go before `names`. */
export const shownOf = (gitUrl: string, names: Repository, issue: HostIssue): Shown => {
  const { kind, state, draft, title, labels, updated_at, number } = issue;
  const html_url = `${repositoryUrl(gitUrl, issue.repository ?? names)}/${paths[kind]}/${number}`;
  return { kind, state, draft, title, labels, html_url, updated_at };
};

const lockNotAvailable = "55P03";

/**
 * Writes to one task after the other. One that somebody holds for too long keeps none of the others waiting: its issue is
 * asked about instead, so that the next round reads it. Resolves to those.
 */
export const writeEach = async (
  { sql, log }: MirrorDeps,
  tasks: readonly LinkedTask[],
  write: (task: LinkedTask) => Promise<void>,
): Promise<LinkedTask[]> => {
  const held: LinkedTask[] = [];
  for (const task of tasks) {
    try {
      if (held.length < locksBorne) {
        await write(task);
        continue;
      }
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error;
    }
    await ask(sql, task.git_link);
    held.push(task);
  }
  if (held[0])
    log.warn({ task_id: held[0].id, tasks: held.length }, "tasks are held by others; their issues are read later");
  return held;
};

/** Another repository has taken the name: what was known under it is forgotten, and read anew by the next look. */
const forgetFormer = async ({ sql, log }: MirrorDeps, key: RepositoryKey, begunAt: string): Promise<void> => {
  log.info(key, "another repository has this name now; its issues are read anew");
  for (const task of await listLinkedTasks(sql, key)) await forgetState(sql, task, begunAt);
};

const isAsKnown = (known: MirroredRepository | undefined, names: HostRepository | undefined): boolean =>
  known?.read_to != null &&
  (names === undefined ||
    (known.repository_id === names.id && known.owner === names.owner && known.repo === names.repo));

/**
 * Keeps what the host calls the repository `key`, and since when it is read: `at`, by the host's clock. `known` is what was
 * known of it some time before.
 */
const recognise = async (
  deps: MirrorDeps,
  key: RepositoryKey,
  names: HostRepository | undefined,
  { begunAt, at }: { begunAt: string; at: string | null },
  known?: MirroredRepository,
): Promise<void> => {
  const { sql } = deps;
  if (isAsKnown(known, names)) return;
  const now = await findMirrored(sql, key);
  if (isAsKnown(now, names)) return;
  const id = now?.repository_id ?? undefined;
  if (names === undefined || id === undefined || id === names.id) {
    await noteRead(sql, key, names, at);
  } else {
    // In this order: whatever ends it half-way, the next read of the new one goes on.
    await forgetFormer(deps, key, begunAt);
    await replaceRepository(sql, key, id, names, at);
  }
};

/**
 * Writes what was read of `repository` since `begunAt`, by the database's clock, and answers the numbers of which something
 * else became known meanwhile. `known` spares a look at what the repository was called before.
 */
export const writeIssues = async (
  deps: MirrorDeps,
  repository: Repository,
  issues: ReadonlyMap<number, HostIssue>,
  times: { begunAt: string; at: string | null },
  known?: MirroredRepository,
): Promise<Set<number>> => {
  const { sql, gitUrl } = deps;
  const open = new Set<number>();
  if (issues.size === 0) return open;
  const key = keyOf(repository);
  const names = [...issues.values()].find((issue) => issue.repository)?.repository;
  await recognise(deps, key, names, times, known);
  const numbers = [...issues.keys()];
  await writeEach(deps, await findLinkedTasks(sql, key, numbers), async (task) => {
    const issue = issues.get(task.git_link.number);
    if (issue && (await writeRead(sql, task, shownOf(gitUrl, repository, issue), times.begunAt)))
      open.add(issue.number);
  });
  await settle(sql, key, numbers, times.begunAt);
  return open;
};

/**
 * Reads one issue or pull request for all tasks that are linked to it by this name. `look` is given in a look whose list
 * the host has just answered, with what was known of the repository before. Throws GitHostError.
 */
export const readIssueNow = async (
  deps: MirrorDeps,
  repository: Repository,
  number: number,
  look?: { known: MirroredRepository | undefined },
): Promise<void> => {
  const { sql, host } = deps;
  const key = keyOf(repository);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const begunAt = await databaseTime(sql);
    const reading = await host.readIssue(repository, number);
    if (reading === "unreadable") {
      const tasks = await findLinkedTasks(sql, key, [number]);
      await writeEach(deps, tasks, (task) => writeUnreadable(sql, task, begunAt));
      // It is the issue if the repository can be read, which the next round finds out.
      if (look) await settle(sql, key, [number], begunAt);
      else if (tasks[0]) await ask(sql, tasks[0].git_link);
      return;
    }
    const { issue, at = issue.updated_at } = reading;
    const open = await writeIssues(deps, repository, new Map([[number, issue]]), { begunAt, at }, look?.known);
    if (open.size === 0) return;
  }
};
