// One commit's worth of a folder, held in memory: what was read together stays together.
import type { Dirent } from "node:fs";
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { blobId, commitId, type GitMode, inTreeOrder, treeId } from "./git-objects.ts";

export interface GitEntry {
  path: string;
  name: string;
  mode: GitMode;
  sha: string;
  /** A file's content, a link's target, nothing for a folder. */
  bytes: Buffer;
}

export interface Snapshot {
  /** A function of the content alone: the same files are the same commit. */
  commit: string;
  tree: string;
  /** By path, siblings in git's order. The root is not among them. */
  entries: Map<string, GitEntry>;
}

export const committer = { name: "Development", email: "development@localhost" };
export const commitMessage = "The files as they are on disk";
export const committedAt = new Date("2026-01-01T00:00:00Z");

/** Reads the folder; undefined while it holds no file. Empty folders do not exist, as for git; nor does `.git`. */
export const readSnapshot = async (folder: string): Promise<Snapshot | undefined> => {
  const entries: Snapshot["entries"] = new Map();
  const items = await readFolder(folder, "", entries);
  if (items.length === 0) return undefined;
  const tree = treeId(items);
  const author = `${committer.name} <${committer.email}>`;
  return { commit: commitId({ tree, author, at: committedAt, message: commitMessage }), tree, entries };
};

/** The entries directly in the folder at `path`; "" is the root. */
export const childrenOf = ({ entries }: Snapshot, path: string): GitEntry[] =>
  [...entries.values()].filter((entry) => entry.path === (path ? `${path}/${entry.name}` : entry.name));

const readFolder = async (root: string, path: string, entries: Snapshot["entries"]): Promise<GitEntry[]> => {
  const found = await readdir(join(root, path), { withFileTypes: true }).catch(ignoreVanished);
  const read = (found ?? [])
    .filter(({ name }) => name.toLowerCase() !== ".git")
    .map((item) => readItem(root, path, item, entries));
  const items = (await Promise.all(read)).filter((entry) => entry !== undefined).sort(inTreeOrder);
  for (const entry of items) entries.set(entry.path, entry);
  return items;
};

const readItem = async (
  root: string,
  folder: string,
  item: Dirent,
  entries: Snapshot["entries"],
): Promise<GitEntry | undefined> => {
  const path = folder ? `${folder}/${item.name}` : item.name;
  const entry = (mode: GitMode, sha: string, bytes: Buffer = Buffer.alloc(0)) => ({
    path,
    name: item.name,
    mode,
    sha,
    bytes,
  });
  if (item.isDirectory()) {
    const items = await readFolder(root, path, entries);
    return items.length > 0 ? entry("40000", treeId(items)) : undefined;
  }
  const blob = item.isSymbolicLink()
    ? readLink(join(root, path))
    : item.isFile()
      ? readBlob(join(root, path))
      : undefined;
  const content = await blob?.catch(ignoreVanished);
  return content && entry(content.mode, blobId(content.bytes), content.bytes);
};

const readLink = async (path: string): Promise<{ mode: GitMode; bytes: Buffer }> => ({
  mode: "120000",
  bytes: await readlink(path, "buffer"),
});

const readBlob = async (path: string): Promise<{ mode: GitMode; bytes: Buffer }> => {
  const [{ mode }, bytes] = await Promise.all([stat(path), readFile(path)]);
  return { mode: mode & 0o100 ? "100755" : "100644", bytes };
};

/** Editors save by renaming: a name can be gone by the time it is read. The next look sees the rest. */
const ignoreVanished = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
};
