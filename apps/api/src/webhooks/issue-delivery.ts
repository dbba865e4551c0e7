// What a delivery tells of an issue or a pull request (D-33): the few fields that are used, every one checked. Pure.
import { isRecord } from "../git/git-host-requests.ts";
import { readIssueFields, readPullFields, readRepository } from "../git/issue-reading.ts";
import type { Delivery } from "../mirror/deliveries.ts";

export const issueEvents = ["issues", "pull_request"] as const;
export type IssueEvent = (typeof issueEvents)[number];

export const isIssueEvent = (event: unknown): event is IssueEvent => issueEvents.some((one) => one === event);

/** Undefined unless the payload is one that Gitea or Forgejo sends with this event, which also stands for labels, reviews and the like. */
export const readIssueDelivery = (event: IssueEvent, payload: unknown): Delivery | undefined => {
  if (!isRecord(payload)) return undefined;
  const repository = readRepository(payload.repository);
  const issue = event === "issues" ? readIssueFields(payload.issue) : readPullFields(payload.pull_request);
  return repository && issue && { repository, issue, isDeleted: payload.action === "deleted" };
};
