// One commit's worth of a folder, held in memory: what was read together stays together.
import type { Dirent } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { blobId, commitId, type GitMode, inTreeOrder, treeId } from "./git-objects.ts";
import { stampOf } from "./git-stamp.ts";

export interface GitEntry {
  path: string;
  name: string;
  mode: GitMode;
  sha: string;
  /** A file's content, a link's target, nothing for a folder. */
  bytes: Buffer;
  /** Of a file: as long as it has this one, it need not be read again. */
  stamp?: string | undefined;
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

/** At the top of a repository: its issues, no part of its content. */
export const issuesFolder = "issues";

/**
 * Reads the folder; undefined while it holds no file. Empty folders do not exist, as for git; nor do `.git` and the
 * issues. Files that are as they were in `before` are taken from there.
 */
export const readSnapshot = async (folder: string, before?: Snapshot): Promise<Snapshot | undefined> => {
  const reading: Reading = { root: folder, known: before?.entries, entries: new Map() };
  const items = await readFolder(reading, "");
  const { entries } = reading;
  return items.length > 0 ? snapshotOf(items, entries) : undefined;
};

/** `items` are the entries directly in the root. */
const snapshotOf = (items: GitEntry[], entries: Snapshot["entries"]): Snapshot => {
  const tree = treeId(items);
  const author = `${committer.name} <${committer.email}>`;
  return { commit: commitId({ tree, author, at: committedAt, message: commitMessage }), tree, entries };
};

/** The commit that removes the last file. */
export const emptied: Snapshot = snapshotOf([], new Map());

/** The entries directly in the folder at `path`; "" is the root. */
export const childrenOf = ({ entries }: Snapshot, path: string): GitEntry[] =>
  [...entries.values()].filter((entry) => entry.path === (path ? `${path}/${entry.name}` : entry.name));

interface Reading {
  root: string;
  known: Snapshot["entries"] | undefined;
  entries: Snapshot["entries"];
}

const readFolder = async (reading: Reading, path: string): Promise<GitEntry[]> => {
  const found = await readdir(join(reading.root, path), { withFileTypes: true }).catch(ignoreVanished);
  const read = (found ?? [])
    .filter(({ name }) => name.toLowerCase() !== ".git")
    .filter((item) => path !== "" || item.name !== issuesFolder || !item.isDirectory())
    .map((item) => readItem(reading, path, item));
  const items = (await Promise.all(read)).filter((entry) => entry !== undefined).sort(inTreeOrder);
  for (const entry of items) reading.entries.set(entry.path, entry);
  return items;
};

const readItem = async (reading: Reading, folder: string, item: Dirent): Promise<GitEntry | undefined> => {
  const { name } = item;
  const path = folder ? `${folder}/${name}` : name;
  if (item.isDirectory()) {
    const items = await readFolder(reading, path);
    return items.length > 0 ? { path, name, mode: "40000", sha: treeId(items), bytes: Buffer.alloc(0) } : undefined;
  }
  const file = join(reading.root, path);
  const read = item.isSymbolicLink()
    ? readLink(file)
    : item.isFile()
      ? readFileUnless(file, reading.known?.get(path))
      : undefined;
  const content = await read?.catch(ignoreVanished);
  return content && { path, name, ...content };
};

type Content = Pick<GitEntry, "mode" | "sha" | "bytes" | "stamp">;

const readLink = async (file: string): Promise<Content> => {
  const bytes = await readlink(file, "buffer");
  return { mode: "120000", sha: blobId(bytes), bytes };
};

const readFileUnless = async (file: string, known: GitEntry | undefined): Promise<Content> => {
  const { stamp, isExecutable } = await stampOf(file);
  if (known && stamp !== undefined && known.stamp === stamp) return known;
  const bytes = await readFile(file);
  return { mode: isExecutable ? "100755" : "100644", sha: blobId(bytes), bytes, stamp };
};

/** Editors save by renaming: a name can be gone by the time it is read. The next look sees the rest. */
const ignoreVanished = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
};
