// The issues and pull requests of a repository, read from its `issues` folder.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitIssue, numberOfFile, readIssue } from "./git-issue.ts";
import type { GitRepository } from "./git-repository.ts";
import { issuesFolder } from "./git-snapshot.ts";
import { stampOf } from "./git-stamp.ts";

export interface GitIssues {
  /** The largest number first. A file that turns out faulty counts as it was before; if it never was better, it is left out. */
  of(repository: GitRepository): Promise<GitIssue[]>;
  /** For a repository that is gone: should it come back, its files were never better. */
  forget(repository: GitRepository): void;
}

interface ReadFile {
  stamp: string | undefined;
  issue: GitIssue | undefined;
}

/** `complain` hears once of each fault. */
export const gitIssues = (complain: (fault: string) => void): GitIssues => {
  /** By the repository's folder, then by path. */
  const known = new Map<string, Map<string, ReadFile>>();
  const told = new Set<string>();
  const tell = (path: string, fault: string): void => {
    const message = `git host: ${path} is not taken over: ${fault}`;
    if (told.has(message)) return;
    told.add(message);
    complain(message);
  };

  const readOne = async (files: Map<string, ReadFile>, path: string, number: number): Promise<GitIssue | undefined> => {
    const before = files.get(path);
    try {
      const { stamp, changedAt } = await stampOf(path);
      if (before && stamp !== undefined && before.stamp === stamp) return before.issue;
      const read: ReadFile = { stamp, issue: before?.issue };
      const yaml = await readFile(path, "utf8");
      try {
        read.issue = readIssue(number, yaml, changedAt);
      } catch (error) {
        tell(path, (error as Error).message.split("\n", 1)[0] ?? "");
      }
      files.set(path, read);
      return read.issue;
    } catch (error) {
      files.delete(path);
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") tell(path, (error as Error).message);
      return undefined;
    }
  };

  return {
    of: async ({ folder }) => {
      const path = join(folder, issuesFolder);
      const names = (await readdir(path).catch(() => [])).filter((name) => !/^\.|~$/.test(name));
      const files = known.get(folder) ?? new Map<string, ReadFile>();
      known.set(folder, files);
      const listed = new Set(names.map((name) => join(path, name)));
      for (const file of files.keys()) if (!listed.has(file)) files.delete(file);
      const read = names.map((name) => {
        const number = numberOfFile(name);
        if (number === undefined) tell(join(path, name), "it is not called <number>.yml");
        return number === undefined ? undefined : readOne(files, join(path, name), number);
      });
      const issues = (await Promise.all(read)).filter((issue) => issue !== undefined);
      return issues.sort((one, other) => other.number - one.number);
    },
    forget: ({ folder }) => {
      known.delete(folder);
    },
  };
};
