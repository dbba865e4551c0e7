// The repositories below a folder, `<owner>/<repo>/…`: which there are, and their commits as far as they are remembered.
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type GitRenames, gitRenames, type RepositoryName } from "./git-renames.ts";
import { readSnapshot, type Snapshot } from "./git-snapshot.ts";

export interface GitRepository {
  owner: string;
  name: string;
  folder: string;
  /** `<owner>/<repo>` as stored: stays when it is renamed. */
  storedAs: string;
}

export interface GitRepositories {
  renames: GitRenames;
  /** All of them, or those in the folder of one owner. */
  list(owner?: string): Promise<GitRepository[]>;
  /** Names match without regard to case; a name it no longer has finds nothing. */
  find(owner: string, name: string): Promise<GitRepository | undefined>;
  /** The content now, remembered under its commit; undefined while the repository is empty. */
  head(repository: GitRepository): Promise<Snapshot | undefined>;
  /** What a branch or a full commit id names; without one, the default branch. */
  resolve(repository: GitRepository, ref: string | undefined): Promise<Snapshot | undefined>;
}

export const defaultBranch = "main";
/** Of each repository. */
const rememberedCommits = 50;

export const gitRepositories = (reposDir: string): GitRepositories => {
  const renames = gitRenames();
  /** By folder, then by commit, the newest last. */
  const remembered = new Map<string, Map<string, Snapshot>>();

  const repositoryAt = (stored: RepositoryName): GitRepository => ({
    ...renames.nameOf(stored),
    folder: join(reposDir, stored.owner, stored.name),
    storedAs: `${stored.owner}/${stored.name}`,
  });

  const listOf = async (owner: string): Promise<GitRepository[]> =>
    (await foldersIn(join(reposDir, owner))).map((name) => repositoryAt({ owner, name }));

  const head = async (repository: GitRepository): Promise<Snapshot | undefined> => {
    const commits = remembered.get(repository.folder) ?? new Map<string, Snapshot>();
    remembered.set(repository.folder, commits);
    const snapshot = await readSnapshot(repository.folder, [...commits.values()].at(-1));
    if (!snapshot) return undefined;
    commits.delete(snapshot.commit);
    commits.set(snapshot.commit, snapshot);
    const [oldest = ""] = commits.keys();
    if (commits.size > rememberedCommits) commits.delete(oldest);
    return snapshot;
  };

  return {
    renames,
    head,
    list: async (owner) => {
      const owners = owner === undefined ? await foldersIn(reposDir) : [owner];
      return (await Promise.all(owners.map(listOf))).flat();
    },
    find: async (owner, name) => {
      if (renames.movedTo({ owner, name })) return undefined;
      const stored = renames.storedAs({ owner, name });
      const ownerFolder = await folderNamed(reposDir, stored.owner);
      const folder = ownerFolder && (await folderNamed(join(reposDir, ownerFolder), stored.name));
      return folder ? repositoryAt({ owner: ownerFolder, name: folder }) : undefined;
    },
    resolve: async (repository, ref = defaultBranch) => {
      if (ref === defaultBranch) return head(repository);
      const known = remembered.get(repository.folder)?.get(ref);
      if (known) return known;
      // After a restart nothing is remembered, yet unchanged files still are the commit they were.
      const now = /^[0-9a-f]{40}$/.test(ref) ? await head(repository) : undefined;
      return now?.commit === ref ? now : undefined;
    },
  };
};

/** Links to folders count: a checkout elsewhere can be served. */
const foldersIn = async (folder: string): Promise<string[]> => {
  const items = await visibleIn(folder);
  const kept = await Promise.all(items.map(async (item) => ((await isFolder(folder, item)) ? [item.name] : [])));
  return kept.flat().sort();
};

/** The folder of this name, whatever its case, the exact one first. Looks at no other more closely. */
const folderNamed = async (parent: string, name: string): Promise<string | undefined> => {
  const alike = (await visibleIn(parent)).filter((item) => item.name.toLowerCase() === name.toLowerCase());
  const exactFirst = alike.sort((one, other) => Number(other.name === name) - Number(one.name === name));
  for (const item of exactFirst) if (await isFolder(parent, item)) return item.name;
  return undefined;
};

const visibleIn = async (folder: string): Promise<Dirent[]> => {
  const items = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return items.filter(({ name }) => !name.startsWith("."));
};

const isFolder = async (parent: string, item: Dirent): Promise<boolean> =>
  item.isDirectory() ||
  (item.isSymbolicLink() &&
    (await stat(join(parent, item.name)).then(
      (target) => target.isDirectory(),
      () => false,
    )));
