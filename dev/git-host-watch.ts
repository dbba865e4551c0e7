// Notices that files of a repository have changed and tells of it once the writing has calmed down.
import { type FSWatcher, watch } from "node:fs";
import type { RepositoryState } from "./git-host-answers.ts";
import type { Happening } from "./git-host-payloads.ts";
import { issueChanges } from "./git-issue-changes.ts";
import type { GitIssues } from "./git-issues.ts";
import type { GitRepositories, GitRepository } from "./git-repository.ts";

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
  /** By folder. */
  const seen = new Map<string, RepositoryState>();
  const lookAt = async (repository: GitRepository): Promise<Happening[]> => {
    const before = seen.get(repository.folder);
    const now = { repository, head: await repositories.head(repository), issues: await issues.of(repository) };
    // Gone for the moment: what there was is what the next commit follows.
    const state = { ...now, head: now.head ?? before?.head };
    seen.set(repository.folder, state);
    return happeningsBetween(before, state);
  };
  const lookAtAll = async (): Promise<Happening[]> => {
    const looks = (await list()).map((repository) => lookAt(repository).catch(ignoreUnreadable));
    return (await Promise.all(looks)).flat();
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

const happeningsBetween = (before: RepositoryState | undefined, state: RepositoryState): Happening[] => {
  const { head } = state;
  const isPushed = head !== undefined && head.commit !== before?.head?.commit;
  return [
    ...(isPushed ? [{ state, push: { before: before?.head, after: head } }] : []),
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

/** A file nobody may read must not end the watch of all others. */
const ignoreUnreadable = (): Happening[] => [];
