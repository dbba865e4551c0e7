// An issue or pull request as somebody writes it into `issues/<number>.yml`: what the file may say, and what is wrong with it. Pure.
import { load } from "js-yaml";
import { readTime, rfc3339 } from "./git-time.ts";

export interface GitIssue {
  number: number;
  kind: "issue" | "pull_request";
  title: string;
  /** Merged is a closed pull request's. */
  state: "open" | "closed" | "merged";
  /** Only of a pull request. */
  draft: boolean;
  labels: string[];
  body: string;
  /** RFC 3339, whole seconds. */
  updated_at: string;
}

/** Of the file `name` in the issues folder: its number, undefined if the name is none. */
export const numberOfFile = (name: string): number | undefined => {
  const number = /^([1-9]\d{0,9})\.yml$/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
};

interface Rule {
  isMet: (value: unknown) => boolean;
  says: string;
}

const isText = (value: unknown, max: number): value is string => typeof value === "string" && value.length <= max;
const oneOf = (...allowed: string[]): Rule => ({
  isMet: (value) => allowed.includes(value as string),
  says: allowed.join(" or "),
});

const rules: Record<string, Rule> = {
  title: { isMet: (value) => isText(value, 255) && value.trim() !== "", says: "text of 1 to 255 characters" },
  kind: oneOf("issue", "pull_request"),
  state: oneOf("open", "closed", "merged"),
  draft: { isMet: (value) => typeof value === "boolean", says: "true or false" },
  labels: {
    isMet: (value) => Array.isArray(value) && value.every((label) => isText(label, 50) && label !== ""),
    says: "a list of texts of 1 to 50 characters",
  },
  body: { isMet: (value) => isText(value, 1_000_000), says: "text" },
  updated_at: {
    isMet: (value) => isText(value, 50) && readTime(value) !== undefined,
    says: "a time as in 2026-08-04T14:02:33Z",
  },
};

/** Throws an Error that says what is wrong with the file. `changedAt` stands for a missing `updated_at`. */
export const readIssue = (number: number, yaml: string, changedAt: Date): GitIssue => {
  const fields = load(yaml, { maxAliases: 0, maxDepth: 10 });
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) throw new Error("it holds no `title: …`");
  for (const [key, value] of Object.entries({ title: undefined, ...fields })) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (!rule) throw new Error(`\`${key}\` is not among ${Object.keys(rules).join(", ")}`);
    if (!rule.isMet(value)) throw new Error(`\`${key}\` must be ${rule.says}`);
  }
  const { updated_at, ...given } = fields as Partial<GitIssue>;
  const time = updated_at === undefined ? undefined : readTime(updated_at);
  const issue = { kind: "issue", title: "", state: "open", draft: false, labels: [], body: "", ...given } as const;
  if (issue.kind === "issue" && (issue.draft || issue.state === "merged"))
    throw new Error("only what has `kind: pull_request` can be a draft or merged");
  return { number, ...issue, labels: [...new Set(issue.labels)], updated_at: rfc3339(time ?? changedAt) };
};
