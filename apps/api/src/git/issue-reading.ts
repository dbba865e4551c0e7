// Issues and pull requests as Gitea and Forgejo tell of them, in answers and deliveries: every field checked. Pure.
import type { GitState } from "@task-service/contract";
import { parseFullName, type Repository } from "./git-address.ts";
import { isRecord } from "./git-host-requests.ts";

/** A repository as the host names it now. */
export interface HostRepository extends Repository {
  /** The host's own; stays through renames, and is not given to another one. */
  id: number;
}

export interface HostIssue extends Pick<GitState, "kind" | "draft" | "title" | "labels" | "updated_at"> {
  number: number;
  state: "open" | "closed" | "merged";
  /** Undefined where the host does not say. */
  repository: HostRepository | undefined;
}

const maxTextCharacters = 1000;
const maxLabels = 200;
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
/** Times that are not set stand as the year 1 or 1970. */
const firstSetMs = Date.UTC(1971, 0);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

// What PostgreSQL cannot hold goes; what no host allows is cut.
const plain = (text: string): string => text.slice(0, maxTextCharacters).replaceAll("\0", "").toWellFormed();

/** The instant of a time in the server's own zone; null if it is not set or none. */
export const readInstant = (value: unknown): string | null => {
  const ms = typeof value === "string" && instantPattern.test(value) ? Date.parse(value) : Number.NaN;
  return ms >= firstSetMs ? new Date(ms).toISOString() : null;
};

/** A repository as it stands beside an issue; undefined if it has no name and id of a repository. */
export const readRepository = (value: unknown): HostRepository | undefined => {
  if (!isRecord(value) || !isCount(value.id)) return undefined;
  const names = parseFullName(value.full_name);
  return names && { ...names, id: value.id };
};

const labelsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [])
    .flatMap((label) => (isRecord(label) && typeof label.name === "string" ? [plain(label.name)] : []))
    .slice(0, maxLabels);

const isTrue = (value: unknown): boolean => value === true;

const readFields = (
  value: Record<string, unknown>,
  pull: Record<string, unknown> | undefined,
): HostIssue | undefined => {
  const { number, title, state } = value;
  if (!isCount(number) || typeof title !== "string" || (state !== "open" && state !== "closed")) return undefined;
  return {
    number,
    kind: pull ? "pull_request" : "issue",
    state: isTrue(pull?.merged) ? "merged" : state,
    draft: isTrue(pull?.draft),
    title: plain(title),
    labels: labelsOf(value.labels),
    updated_at: readInstant(value.updated_at),
    repository: readRepository(value.repository),
  };
};

/** What the host's issues endpoints answer for an issue or a pull request; undefined for anything else. */
export const readIssueFields = (value: unknown): HostIssue | undefined =>
  isRecord(value) ? readFields(value, isRecord(value.pull_request) ? value.pull_request : undefined) : undefined;

/** What deliveries tell of a pull request: merged and draft stand beside the other fields. */
export const readPullFields = (value: unknown): HostIssue | undefined =>
  isRecord(value) ? readFields(value, value) : undefined;
