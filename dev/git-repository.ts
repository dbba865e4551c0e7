// The repositories below a folder, `<owner>/<repo>/…`: which there are, and their commits as far as they are remembered.
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { readSnapshot, type Snapshot } from "./git-snapshot.ts";

export interface GitRepository {
  owner: string;
  name: string;
  folder: string;
}

export interface GitRepositories {
  list(): Promise<GitRepository[]>;
  /** Names match without regard to case. */
  find(owner: string, name: string): Promise<GitRepository | undefined>;
  /** The content now, remembered under its commit; undefined while the repository is empty. */
  head(repository: GitRepository): Promise<Snapshot | undefined>;
  /** What a branch or a full commit id names; without one, the default branch. */
  resolve(repository: GitRepository, ref: string | undefined): Promise<Snapshot | undefined>;
}

export const defaultBranch = "main";
const rememberedCommits = 50;

export const gitRepositories = (reposDir: string): GitRepositories => {
  const remembered = new Map<string, Snapshot>();
  const keyOf = ({ folder }: GitRepository, commit: string): string => `${commit} ${folder}`;

  const list = async (): Promise<GitRepository[]> => {
    const owners = await foldersIn(reposDir);
    const named = owners.map(async (owner) =>
      (await foldersIn(join(reposDir, owner))).map((name) => ({ owner, name, folder: join(reposDir, owner, name) })),
    );
    return (await Promise.all(named)).flat();
  };

  const head = async (repository: GitRepository): Promise<Snapshot | undefined> => {
    const snapshot = await readSnapshot(repository.folder);
    if (!snapshot) return undefined;
    const key = keyOf(repository, snapshot.commit);
    remembered.delete(key);
    remembered.set(key, snapshot);
    const [oldest = key] = remembered.keys();
    if (remembered.size > rememberedCommits) remembered.delete(oldest);
    return snapshot;
  };

  return {
    list,
    head,
    find: async (owner, name) =>
      (await list()).find((one) => isSameName(one.owner, owner) && isSameName(one.name, name)),
    resolve: async (repository, ref = defaultBranch) => {
      if (ref === defaultBranch) return head(repository);
      const known = remembered.get(keyOf(repository, ref));
      if (known) return known;
      // After a restart nothing is remembered, yet unchanged files still are the commit they were.
      const now = /^[0-9a-f]{40}$/.test(ref) ? await head(repository) : undefined;
      return now?.commit === ref ? now : undefined;
    },
  };
};

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Links to folders count: a checkout elsewhere can be served. */
const foldersIn = async (folder: string): Promise<string[]> => {
  const items: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const visible = items.filter(({ name }) => !name.startsWith("."));
  const kept = await Promise.all(visible.map(async (item) => ((await isFolder(folder, item)) ? [item.name] : [])));
  return kept.flat().sort();
};

const isFolder = async (parent: string, item: Dirent): Promise<boolean> =>
  item.isDirectory() ||
  (item.isSymbolicLink() &&
    (await stat(join(parent, item.name)).then(
      (target) => target.isDirectory(),
      () => false,
    )));
