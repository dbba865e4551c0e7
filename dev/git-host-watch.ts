// Notices that files of a repository have changed and tells of it once the writing has calmed down.
import { type FSWatcher, watch } from "node:fs";
import { access } from "node:fs/promises";
import type { RepositoryState } from "./git-host-answers.ts";
import type { Happening } from "./git-host-payloads.ts";
import { issueChanges } from "./git-issue-changes.ts";
import type { GitIssues } from "./git-issues.ts";
import type { GitRepositories, GitRepository } from "./git-repository.ts";
import { emptied, type Snapshot } from "./git-snapshot.ts";

const calmMs = 100;
/** File systems that report no changes (network mounts, some containers) are looked at; a look may cost a tenth of the time. */
const lookMs = 1000;

export interface RepositoryWatch {
  stop(): void;
}

export interface WatchOptions {
  /** Holds the repositories, at any depth. It need not exist. */
  folder: string;
  list(): Promise<GitRepository[]>;
  repositories: GitRepositories;
  issues: GitIssues;
  /** Called for everything that happens after the watch has begun, in order. */
  onHappening: (happening: Happening) => void;
}

/** Resolves when the watch has begun. */
export const watchRepositories = async (options: WatchOptions): Promise<RepositoryWatch> => {
  const { folder, list, repositories, issues, onHappening } = options;
  /** By folder. Once there was a commit, there is one that the next follows, even if the repository is empty. */
  const seen = new Map<string, RepositoryState>();
  const lookAt = async (repository: GitRepository): Promise<Happening[]> => {
    const before = seen.get(repository.folder);
    const state = { repository, head: await repositories.head(repository), issues: await issues.of(repository) };
    // Removed since it was listed: that is not told, unlike the removal of what is in it.
    await access(repository.folder);
    const after = state.head ?? (before?.head && emptied);
    seen.set(repository.folder, { ...state, head: after });
    return happeningsBetween(before, state, after);
  };
  const lookAtAll = async (): Promise<Happening[]> => {
    const listed = await list();
    const folders = new Set(listed.map(({ folder }) => folder));
    for (const { repository } of seen.values()) {
      if (folders.has(repository.folder)) continue;
      seen.delete(repository.folder);
      issues.forget(repository);
    }
    return (await Promise.all(listed.map((repository) => lookAt(repository).catch(ignoreUnreadable)))).flat();
  };

  // One look after the other: two at once could tell of their commits in the wrong order.
  let looking: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  const look = (): Promise<unknown> => {
    looking = looking.then(lookAtAll).then((happenings) => {
      if (!isStopped) happenings.forEach(onHappening);
    });
    return looking;
  };
  let calm: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  const listen = (): void => {
    const onChange = (): void => {
      clearTimeout(calm);
      calm = setTimeout(look, calmMs);
    };
    watcher ??= watchFolder(folder, onChange)?.on("error", () => {
      watcher = undefined;
    });
  };
  let next: NodeJS.Timeout | undefined;
  const keepLooking = async (): Promise<void> => {
    const began = performance.now();
    listen();
    await look();
    if (!isStopped) next = setTimeout(keepLooking, Math.max(lookMs, 10 * (performance.now() - began)));
  };
  listen();
  looking = lookAtAll();
  await looking;
  next = setTimeout(keepLooking, lookMs);
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(calm);
      clearTimeout(next);
      watcher?.close();
    },
  };
};

const happeningsBetween = (
  before: RepositoryState | undefined,
  state: RepositoryState,
  after: Snapshot | undefined,
): Happening[] => {
  const isPushed = after !== undefined && after.commit !== before?.head?.commit;
  return [
    ...(isPushed ? [{ state, push: { before: before?.head, after } }] : []),
    ...issueChanges(before?.issues ?? [], state.issues).map((change) => ({ state, change })),
  ];
};

const watchFolder = (folder: string, onChange: () => void): FSWatcher | undefined => {
  try {
    return watch(folder, { recursive: true }, onChange);
  } catch {
    return undefined;
  }
};

/** A file nobody may read, or a repository that has just gone, must not end the watch of all others. */
const ignoreUnreadable = (): Happening[] => [];
