// The push webhook as Gitea 1.27 sends it: payload, signatures, headers, one attempt.
import { createHmac, randomUUID } from "node:crypto";
import { payloadCommit, repositoryAnswer, userAnswer, zeroCommit } from "./git-host-answers.ts";
import { defaultBranch, type GitRepository } from "./git-repository.ts";
import { committer, type Snapshot } from "./git-snapshot.ts";

export interface WebhookTarget {
  url: string;
  secret: string;
}

export interface Push {
  repository: GitRepository;
  before: Snapshot | undefined;
  after: Snapshot;
}

/** The exact bytes to sign and send. */
export const pushPayload = (root: string, { repository, before, after }: Push): string => {
  const from = before?.commit ?? zeroCommit;
  const commit = { ...payloadCommit(root, repository, after), ...changedFiles(before, after) };
  const pusher = userAnswer(root, "development", committer.name);
  const payload = {
    ref: `refs/heads/${defaultBranch}`,
    before: from,
    after: after.commit,
    compare_url: `${root}/${repository.owner}/${repository.name}/compare/${from}...${after.commit}`,
    commits: [commit],
    total_commits: 1,
    head_commit: commit,
    repository: repositoryAnswer(root, repository, after),
    pusher,
    sender: pusher,
  };
  return JSON.stringify(payload, null, 2);
};

const changedFiles = (before: Snapshot | undefined, after: Snapshot) => {
  const old = filesOf(before);
  const now = filesOf(after);
  return {
    added: [...now.keys()].filter((path) => !old.has(path)),
    removed: [...old.keys()].filter((path) => !now.has(path)),
    modified: [...now].filter(([path, sha]) => old.has(path) && old.get(path) !== sha).map(([path]) => path),
  };
};

const filesOf = (snapshot: Snapshot | undefined): Map<string, string> =>
  new Map(
    [...(snapshot?.entries.values() ?? [])].filter(({ mode }) => mode !== "40000").map(({ path, sha }) => [path, sha]),
  );

const webhookHeaders = (event: string, body: string, secret: string): Record<string, string> => {
  const delivery = randomUUID();
  const hmac = (algorithm: string): string => createHmac(algorithm, secret).update(body).digest("hex");
  const signature = hmac("sha256");
  const named = ["X-Gitea", "X-Gogs", "X-GitHub"].map((prefix) => ({
    [`${prefix}-Delivery`]: delivery,
    [`${prefix}-Event`]: event,
    [`${prefix}-Event-Type`]: event,
  }));
  return Object.assign(
    {
      "Content-Type": "application/json",
      "User-Agent": "Go-http-client/1.1",
      "X-Gitea-Signature": signature,
      "X-Gogs-Signature": signature,
      "X-Hub-Signature": `sha1=${hmac("sha1")}`,
      "X-Hub-Signature-256": `sha256=${signature}`,
      "X-Gitea-Hook-Installation-Target-Type": "organization",
      "X-GitHub-Hook-Installation-Target-Type": "organization",
    },
    ...named,
  );
};

/** Tries once, as Gitea does. Rejects unless the answer is 2xx within 5 s. */
export const deliverPush = async (
  root: string,
  push: Push,
  { url, secret }: WebhookTarget,
  stopped: AbortSignal,
): Promise<void> => {
  const body = pushPayload(root, push);
  const headers = webhookHeaders("push", body, secret);
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(5000)]);
  const response = await fetch(url, { method: "POST", headers, body, signal });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
};
