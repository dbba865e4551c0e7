// What repositories are called now: a renamed one keeps its folder, and its old names lead to the new one.

export interface RepositoryName {
  owner: string;
  name: string;
}

export interface GitRenames {
  /** The repository called `from` is called `to` from now on. */
  rename(from: RepositoryName, to: RepositoryName): void;
  /** The name of now, if `name` is one that a repository once had. */
  movedTo(name: RepositoryName): RepositoryName | undefined;
  /** The name of the folder that holds what is called `name`; the same name unless it was renamed. */
  storedAs(name: RepositoryName): RepositoryName;
  /** What the repository in a folder of that name is called. */
  nameOf(stored: RepositoryName): RepositoryName;
  /** The repositories in the folder of `owner` have their stored names again. */
  forget(owner: string): void;
}

const keyOf = ({ owner, name }: RepositoryName): string => `${owner}/${name}`.toLowerCase();

export const gitRenames = (): GitRenames => {
  /** By stored name. */
  const called = new Map<string, RepositoryName>();
  /** By every name a renamed repository has or had. */
  const stored = new Map<string, RepositoryName>();
  const storedAs = (name: RepositoryName): RepositoryName => stored.get(keyOf(name)) ?? name;
  const nameOf = (name: RepositoryName): RepositoryName => called.get(keyOf(name)) ?? name;
  return {
    storedAs,
    nameOf,
    rename: (from, to) => {
      const folder = storedAs(from);
      for (const name of [from, to]) stored.set(keyOf(name), folder);
      called.set(keyOf(folder), to);
    },
    movedTo: (name) => {
      const now = nameOf(storedAs(name));
      return keyOf(now) === keyOf(name) ? undefined : now;
    },
    forget: (owner) => {
      const isTheirs = (name: RepositoryName): boolean => name.owner.toLowerCase() === owner.toLowerCase();
      for (const [key, folder] of stored) if (isTheirs(folder)) stored.delete(key);
      for (const key of called.keys()) if (key.startsWith(`${owner.toLowerCase()}/`)) called.delete(key);
    },
  };
};
