// What the host says of issues and pull requests now, written to the tasks that are linked to them (D-34).
import { type Repository, repositoryUrl } from "../git/git-address.ts";
import type { IssueHost } from "../git/git-host-issues.ts";
import type { HostIssue, HostRepository } from "../git/issue-reading.ts";
import type { Sql } from "../platform/database.ts";
import type { Logger } from "../platform/logger.ts";
import { forgetState, type Shown, writeRead, writeUnreadable } from "./git-state-queries.ts";
import { databaseTime, findLinkedTasks, keyOf, listLinkedTasks, type RepositoryKey } from "./linked-task-queries.ts";
import { findMirrored, noteRead, replaceRepository } from "./mirrored-repository-queries.ts";

export interface MirrorDeps {
  sql: Sql;
  host: IssueHost;
  gitUrl: string;
  log: Logger;
}

/** What becomes known during a read has it repeated; somebody who changes an issue all the time is left to the next look. */
const maxAttempts = 3;

const paths = { issue: "issues", pull_request: "pulls" } as const;

/** What is shown of an issue. Its address is made of names, never copied; those of the host go before `names`. */
export const shownOf = (gitUrl: string, names: Repository, issue: HostIssue): Shown => {
  const { kind, state, draft, title, labels, updated_at, number } = issue;
  const html_url = `${repositoryUrl(gitUrl, issue.repository ?? names)}/${paths[kind]}/${number}`;
  return { kind, state, draft, title, labels, html_url, updated_at };
};

/** Another repository has taken the name: what was known under it is forgotten, and read anew by the next look. */
const forgetFormer = async ({ sql, log }: MirrorDeps, key: RepositoryKey, begunAt: string): Promise<void> => {
  log.info(key, "another repository has this name now; its issues are read anew");
  for (const task of await listLinkedTasks(sql, key)) {
    await forgetState(sql, task, begunAt);
  }
};

/** Keeps what the host calls the repository `key`, and since when it is read: `at`, by the host's clock. */
const recognise = async (
  deps: MirrorDeps,
  key: RepositoryKey,
  names: HostRepository | undefined,
  { begunAt, at }: { begunAt: string; at: string | null },
): Promise<void> => {
  const knownId = (await findMirrored(deps.sql, key))?.repository_id ?? undefined;
  if (names === undefined || knownId === undefined || knownId === names.id) {
    await noteRead(deps.sql, key, names, at);
  } else if (await replaceRepository(deps.sql, key, knownId, names, at)) await forgetFormer(deps, key, begunAt);
};

/**
 * Writes what was read of `repository` since `begunAt`, by the database's clock, and answers the numbers of which something
 * else became known meanwhile.
 */
export const writeIssues = async (
  deps: MirrorDeps,
  repository: Repository,
  issues: ReadonlyMap<number, HostIssue>,
  times: { begunAt: string; at: string | null },
): Promise<Set<number>> => {
  const key = keyOf(repository);
  const names = [...issues.values()].find((issue) => issue.repository)?.repository;
  await recognise(deps, key, names, times);
  const open = new Set<number>();
  for (const task of await findLinkedTasks(deps.sql, key, [...issues.keys()])) {
    const issue = issues.get(task.git_link.number);
    if (!issue) continue;
    const isOpen = await writeRead(deps.sql, task, shownOf(deps.gitUrl, repository, issue), times.begunAt);
    if (isOpen) open.add(issue.number);
  }
  return open;
};

/** Reads one issue or pull request for all tasks that are linked to it by this name. Throws GitHostError. */
export const readIssueNow = async (deps: MirrorDeps, repository: Repository, number: number): Promise<void> => {
  const { sql, host } = deps;
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const begunAt = await databaseTime(sql);
    const reading = await host.readIssue(repository, number);
    if (reading === "unreadable") {
      for (const task of await findLinkedTasks(sql, keyOf(repository), [number])) {
        await writeUnreadable(sql, task, begunAt);
      }
      return;
    }
    const { issue, at = issue.updated_at } = reading;
    const open = await writeIssues(deps, repository, new Map([[number, issue]]), { begunAt, at });
    if (open.size === 0) return;
  }
};
