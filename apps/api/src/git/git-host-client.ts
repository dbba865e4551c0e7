// What the service reads of an agents repository through the git host's API (D-31), every answer checked.
import { createHash } from "node:crypto";
import type { Repository } from "./git-address.ts";
import {
  type GitHostAnswer,
  GitHostError,
  type GitHostRequests,
  isRecord,
  readJson,
  repositoryPath,
} from "./git-host-requests.ts";

export interface DirectoryEntry {
  name: string;
  type: string;
  sha: string;
  size: number;
}

/** Every function rejects with GitHostError unless the host gave a usable answer. */
export interface GitHost {
  /** The head commit of the default branch, `empty` for a repository without commits, `missing` if there is none we may see. */
  headCommit(repository: Repository): Promise<{ commit: string } | "empty" | "missing">;
  /** Rejects unless the host itself calls the repository empty: a proxy may answer 409 for reasons of its own. */
  checkEmpty(repository: Repository): Promise<void>;
  /** The entries of a folder of the root at a commit; none if the root has no such folder. */
  listDirectory(repository: Repository, name: string, commit: string): Promise<DirectoryEntry[]>;
  /** The exact bytes of a file at a commit, checked against the size and blob id the host itself gives. */
  readFile(repository: Repository, path: string, commit: string): Promise<Buffer>;
}

const commitPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** The id git gives a file of this content; 64 digits long in SHA-256 repositories. */
export const blobId = (content: Buffer, digits = 40): string =>
  createHash(digits === 64 ? "sha256" : "sha1")
    .update(`blob ${content.byteLength}\0`)
    .update(content)
    .digest("hex");

const isEntry = (one: unknown): one is DirectoryEntry =>
  isRecord(one) &&
  [one.name, one.type, one.sha].every((field) => typeof field === "string") &&
  typeof one.size === "number";

/** The entries of a folder, each name once; some versions of Forgejo answer null for an empty root. */
const readListing = (answer: GitHostAnswer, name: string): DirectoryEntry[] => {
  const entries = readJson(answer) ?? [];
  const isListing = Array.isArray(entries) && entries.every(isEntry);
  if (!isListing || new Set(entries.map((entry) => entry.name)).size < entries.length) {
    throw new GitHostError(`The git host's answer for ${name} is not a folder's listing.`);
  }
  return entries;
};

export const createGitHost = (requests: GitHostRequests): GitHost => {
  const contents = (repository: Repository, path: string, commit: string): string =>
    repositoryPath(repository, `/contents/${path.split("/").map(encodeURIComponent).join("/")}?ref=${commit}`);

  /**
   * A folder that is not there is 404; so are a commit the host has lost and a repository that is gone or hidden by now,
   * and those say nothing of its personas. Nor does an empty listing: git has no empty folders. Only the root's listing
   * at the same commit tells.
   */
  const checkAbsent = async (repository: Repository, name: string, commit: string): Promise<void> => {
    const root = readListing(
      await requests.get(repositoryPath(repository, `/contents?ref=${commit}`)),
      "the root folder",
    );
    if (root.some((entry) => entry.name === name)) {
      throw new GitHostError(`The git host lists ${name}, yet answered as if it were not there.`);
    }
  };

  return {
    headCommit: async (repository) => {
      const answer = await requests.get(
        repositoryPath(repository, "/commits?limit=1&stat=false&files=false&verification=false"),
      );
      if (answer.status === 409) return "empty";
      if (answer.status === 404) {
        // Missing, or hidden from us; with a bad token everything would be refused instead.
        readJson(await requests.get("version"));
        return "missing";
      }
      const commits = readJson(answer);
      const [head] = Array.isArray(commits) ? commits : [];
      if (!isRecord(head) || typeof head.sha !== "string" || !commitPattern.test(head.sha)) {
        throw new GitHostError("The git host's answer names no commit.");
      }
      return { commit: head.sha };
    },

    checkEmpty: async (repository) => {
      const answer = readJson(await requests.get(repositoryPath(repository)));
      if (isRecord(answer) && answer.empty === true) return;
      throw new GitHostError("The git host answered 409, but does not say that the repository is empty.");
    },

    listDirectory: async (repository, path, commit) => {
      const answer = await requests.get(contents(repository, path, commit));
      const entries = answer.status === 404 ? [] : readListing(answer, path);
      if (entries.length === 0) await checkAbsent(repository, path, commit);
      return entries;
    },

    readFile: async (repository, path, commit) => {
      const file = readJson(await requests.get(contents(repository, path, commit)));
      if (!isRecord(file) || file.type !== "file" || file.encoding !== "base64" || typeof file.content !== "string") {
        throw new GitHostError(`The git host's answer for ${path} is not a file's content.`);
      }
      const content = Buffer.from(file.content, "base64");
      const isWhole = content.byteLength === file.size && blobId(content, String(file.sha).length) === file.sha;
      if (!isWhole) throw new GitHostError(`The git host's answer for ${path} is not the whole file.`);
      return content;
    },
  };
};
