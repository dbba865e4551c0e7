// What the service reads of issues and pull requests through the git host's API (D-34), every answer checked.
import type { Repository } from "./git-address.ts";
import {
  type GitHostAnswer,
  GitHostError,
  type GitHostRequests,
  isRecord,
  readJson,
  repositoryPath,
} from "./git-host-requests.ts";
import { type HostIssue, readIssueFields } from "./issue-reading.ts";

/** What one look at the host found. */
export interface IssueReading {
  issue: HostIssue;
  /** The host's time of its answer; undefined if it does not say. */
  at: string | undefined;
}

export interface IssueListing {
  /** By number, each once. */
  issues: Map<number, HostIssue>;
  /** The host's time when it answered with the first page. */
  at: string | undefined;
  /** Whether all that had changed by then is among them: pages shift when something is deleted between two of them. */
  isWhole: boolean;
}

export interface IssueRange {
  /** Only what changed at this instant or later. */
  since?: string;
  /** At least one; no limit unless given. */
  maxPages?: number;
}

/** Every function rejects with GitHostError unless the host gave a usable answer; 403 and 404 are `unreadable`. */
export interface IssueHost {
  /** An issue or a pull request: both have one row of numbers. */
  readIssue(repository: Repository, number: number): Promise<IssueReading | "unreadable">;
  /** Issues and pull requests, closed ones too, the newest first. */
  listIssues(repository: Repository, range: IssueRange): Promise<IssueListing | "unreadable">;
  /** Whether the repository can be read, and the host's time. */
  probe(repository: Repository): Promise<{ at: string | undefined } | "unreadable">;
}

/** The most that hosts give; some are set to give less. */
const pageIssues = 50;

const isUnreadable = ({ status }: GitHostAnswer): boolean => status === 403 || status === 404;

const timeOf = ({ headers }: GitHostAnswer): string | undefined => {
  const ms = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
};

const totalOf = ({ headers }: GitHostAnswer): number | undefined => {
  const total = headers.get("x-total-count") ?? "";
  return /^\d{1,15}$/.test(total) ? Number(total) : undefined;
};

const readPage = (answer: GitHostAnswer): HostIssue[] => {
  const list = readJson(answer) ?? [];
  if (!Array.isArray(list)) throw new GitHostError("The git host's answer is not a list of issues.");
  return list.map((one) => {
    const issue = readIssueFields(one);
    if (!issue) throw new GitHostError("The git host's list has something that is not an issue.");
    return issue;
  });
};

export const createIssueHost = (requests: GitHostRequests): IssueHost => {
  const getPage = (repository: Repository, query: Record<string, string>) =>
    requests.get(repositoryPath(repository, `/issues?${new URLSearchParams({ state: "all", ...query })}`));

  return {
    readIssue: async (repository, number) => {
      const answer = await requests.get(repositoryPath(repository, `/issues/${number}`));
      if (isUnreadable(answer)) return "unreadable";
      const value = readJson(answer);
      const issue = readIssueFields(value);
      if (issue?.number !== number || !isRecord(value)) {
        throw new GitHostError(`The git host's answer is not issue ${number}.`);
      }
      return { issue, at: timeOf(answer) };
    },

    listIssues: async (repository, { since, maxPages = Number.POSITIVE_INFINITY }) => {
      const issues = new Map<number, HostIssue>();
      const totals: (number | undefined)[] = [];
      const range = { ...(since !== undefined && { since }), limit: String(pageIssues) };
      const first = await getPage(repository, { ...range, page: "1" });
      if (isUnreadable(first)) return "unreadable";
      const at = timeOf(first);
      const firstPage = readPage(first);
      // The first page shows how many the host gives.
      const size = firstPage.length;
      /** True if it was the last one. */
      const take = (answer: GitHostAnswer, found: readonly HostIssue[], page: number): boolean => {
        const known = issues.size;
        for (const issue of found) issues.set(issue.number, issue);
        const total = totalOf(answer);
        totals.push(total);
        const isAll = total !== undefined && (page - 1) * size + found.length >= total;
        return isAll || found.length < size || issues.size === known;
      };
      if (take(first, firstPage, 1)) return { issues, at, isWhole: addsUp(totals, issues.size) };
      // Pages are counted: links are made from an address that may be out of reach from here.
      for (let page = 2; ; page++) {
        if (page > maxPages) return { issues, at, isWhole: false };
        const answer = await getPage(repository, { ...range, page: String(page) });
        if (take(answer, readPage(answer), page)) break;
      }
      const again = await getPage(repository, { ...range, page: "1" });
      return { issues, at, isWhole: addsUp(totals, issues.size) && isSame(firstPage, readPage(again)) };
    },

    probe: async (repository) => {
      const answer = await getPage(repository, { limit: "1", page: "1" });
      if (isUnreadable(answer)) return "unreadable";
      readPage(answer);
      return { at: timeOf(answer) };
    },
  };
};

/** Something that appeared meanwhile hides from the totals that something was deleted, but not from the first page. */
const isSame = (before: readonly HostIssue[], now: readonly HostIssue[]): boolean =>
  before.length === now.length && before.every(({ number }, index) => number === now[index]?.number);

/** Something that was deleted between two pages lets the total fall, and one that moved up over their border is missed. */
const addsUp = (totals: readonly (number | undefined)[], found: number): boolean =>
  totals.every((total, index) => total === undefined || total >= (totals[index - 1] ?? 0)) && found >= (totals[0] ?? 0);
