// Files and folders as Gitea's contents API describes them: an array for a folder, an object for anything else.
import { lastCommit } from "./git-host-answers.ts";
import { defaultBranch, type GitRepository } from "./git-repository.ts";
import { childrenOf, type GitEntry, type Snapshot } from "./git-snapshot.ts";

export interface ContentsRequest {
  root: string;
  repository: GitRepository;
  snapshot: Snapshot;
  ref: string | undefined;
  /** Without slashes at its ends; "" is the root folder. */
  path: string;
}

const types = { "40000": "dir", "120000": "symlink", "100644": "file", "100755": "file" } as const;

/** Undefined when there is nothing at the path. */
export const contentsAnswer = (request: ContentsRequest) => {
  const { snapshot, path } = request;
  const entry = snapshot.entries.get(path);
  if (path === "" || entry?.mode === "40000")
    return childrenOf(snapshot, path).map((child) => entryAnswer(request, child));
  if (!entry) return undefined;
  const answer = entryAnswer(request, entry);
  return answer.type === "file" ? { ...answer, encoding: "base64", content: entry.bytes.toString("base64") } : answer;
};

const entryAnswer = ({ root, repository, snapshot, ref = defaultBranch }: ContentsRequest, entry: GitEntry) => {
  const { owner, name } = repository;
  const path = entry.path.split("/").map(encodeURIComponent).join("/");
  const at = `${ref === defaultBranch ? "branch" : "commit"}/${ref}/${path}`;
  const api = `${root}/api/v1/repos/${owner}/${name}`;
  const type = types[entry.mode];
  const self = `${api}/contents/${path}?ref=${ref}`;
  const html = `${root}/${owner}/${name}/src/${at}`;
  const git = `${api}/git/blobs/${entry.sha}`;
  return {
    name: entry.name,
    path: entry.path,
    sha: entry.sha,
    ...lastCommit(snapshot),
    type,
    size: entry.bytes.length,
    encoding: null,
    content: null,
    target: type === "symlink" ? entry.bytes.toString() : null,
    url: self,
    html_url: html,
    git_url: git,
    download_url: type === "dir" ? null : `${root}/${owner}/${name}/raw/${at}`,
    submodule_git_url: null,
    _links: { self, git, html },
  };
};
