// Files and folders as Gitea's contents API describes them: an array for a folder, an object for anything else.
import { lastCommit } from "./git-host-answers.ts";
import type { Dialect } from "./git-host-dialect.ts";
import { defaultBranch, type GitRepository } from "./git-repository.ts";
import { childrenOf, type GitEntry, type Snapshot } from "./git-snapshot.ts";

export interface ContentsRequest {
  root: string;
  dialect: Dialect;
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
  return answer.type === "file" ? { ...answer, ...contentOf(entry, request.dialect) } : answer;
};

/** Above this size the host says nothing of the content; Forgejo lets it look like an empty file. */
const maxBlobBytes = 10 * 1024 * 1024;

const contentOf = ({ bytes }: GitEntry, dialect: Dialect) => {
  if (bytes.length <= maxBlobBytes) return { encoding: "base64", content: bytes.toString("base64") };
  return dialect === "forgejo" ? { encoding: "base64", content: "" } : { encoding: null, content: null };
};

const entryAnswer = (request: ContentsRequest, entry: GitEntry) => {
  const { root, dialect, repository, snapshot, ref = defaultBranch } = request;
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
    ...lastCommit(snapshot, dialect),
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
