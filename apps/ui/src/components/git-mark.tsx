// How an issue or pull request stands, as an icon; colour only underlines its shape.
import {
  IconCircleCheck,
  IconCircleDot,
  IconEyeOff,
  IconGitMerge,
  IconGitPullRequest,
  IconGitPullRequestClosed,
  IconGitPullRequestDraft,
} from "@tabler/icons-react";
import { type GitLinked, type GitStanding, gitReference, gitStanding, gitWord } from "../lib/git-words.ts";

const open = "var(--mantine-color-teal-text)";
const done = "var(--mantine-color-violet-text)";
const closed = "var(--mantine-color-red-text)";
const unknown = "var(--mantine-color-dimmed)";

const marks: Record<GitStanding, { icon: typeof IconCircleDot; color: string }> = {
  "issue-open": { icon: IconCircleDot, color: open },
  "issue-closed": { icon: IconCircleCheck, color: done },
  "issue-merged": { icon: IconCircleCheck, color: done },
  "issue-draft": { icon: IconCircleDot, color: open },
  "issue-unread": { icon: IconCircleDot, color: unknown },
  "pull_request-open": { icon: IconGitPullRequest, color: open },
  "pull_request-closed": { icon: IconGitPullRequestClosed, color: closed },
  "pull_request-merged": { icon: IconGitMerge, color: done },
  "pull_request-draft": { icon: IconGitPullRequestDraft, color: unknown },
  "pull_request-unread": { icon: IconGitPullRequest, color: unknown },
  unreadable: { icon: IconEyeOff, color: unknown },
};

/** Beside words that say the same. */
export const GitIcon = ({ standing }: { standing: GitStanding }) => {
  const { icon: Icon, color } = marks[standing];
  return <Icon size={16} stroke={2} color={color} aria-hidden style={{ flex: "none" }} />;
};

/** On its own. */
export const GitMark = ({ task }: { task: GitLinked }) => {
  const standing = gitStanding(task);
  const words = `${gitWord(standing)} ${gitReference(task.git_link)}`;
  return (
    <span role="img" aria-label={words} title={words} style={{ display: "inline-flex", flex: "none" }}>
      <GitIcon standing={standing} />
    </span>
  );
};
