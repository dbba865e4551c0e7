// Notices that files of a repository have changed and tells of it once the writing has calmed down.
import { type FSWatcher, watch } from "node:fs";
import type { Push } from "./git-host-webhooks.ts";
import type { GitRepositories, GitRepository } from "./git-repository.ts";
import type { Snapshot } from "./git-snapshot.ts";

const calmMs = 100;
/** File systems that report no changes (network mounts, some containers) are looked at. */
const lookMs = 3000;

export interface RepositoryWatch {
  stop(): void;
}

/** Calls `onPush` for every commit that appears after this resolves. */
export const watchRepositories = async (
  reposDir: string,
  repositories: GitRepositories,
  onPush: (push: Push) => void,
): Promise<RepositoryWatch> => {
  const seen = new Map<string, Snapshot>();
  const lookAt = async (repository: GitRepository): Promise<Push | undefined> => {
    const before = seen.get(repository.folder);
    const after = await repositories.head(repository);
    if (!after || after.commit === before?.commit) return undefined;
    seen.set(repository.folder, after);
    return { repository, before, after };
  };
  const lookAtAll = async (): Promise<Push[]> => {
    const looks = (await repositories.list()).map((repository) => lookAt(repository).catch(ignoreUnreadable));
    return (await Promise.all(looks)).filter((push) => push !== undefined);
  };

  // One look after the other: two at once could tell of their commits in the wrong order.
  let looking: Promise<unknown> = Promise.resolve();
  const look = (): void => {
    looking = looking.then(lookAtAll).then((pushes) => pushes.forEach(onPush));
  };
  let calm: NodeJS.Timeout | undefined;
  const watcher = watchFolder(reposDir, () => {
    clearTimeout(calm);
    calm = setTimeout(look, calmMs);
  });
  looking = lookAtAll();
  const looks = setInterval(look, lookMs);
  await looking;
  return {
    stop: () => {
      clearTimeout(calm);
      clearInterval(looks);
      watcher?.close();
    },
  };
};

const watchFolder = (folder: string, onChange: () => void): FSWatcher | undefined => {
  try {
    return watch(folder, { recursive: true }, onChange).on("error", () => undefined);
  } catch {
    return undefined;
  }
};

/** A file nobody may read must not end the watch of all others. */
const ignoreUnreadable = (): void => undefined;
