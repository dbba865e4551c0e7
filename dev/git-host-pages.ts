// What a person sees who follows a link to the development git host: folders as lists, files as plain text.

import { defaultBranch, type GitRepositories, type GitRepository } from "./git-repository.ts";
import { childrenOf, type GitEntry, type Snapshot } from "./git-snapshot.ts";
import { escapeHtml, htmlPage } from "./html-page.ts";

export interface PageAnswer {
  status: number;
  html: string;
}

const notFound: PageAnswer = {
  status: 404,
  html: htmlPage("Not found", "<h1>Not found</h1><p>The development git host has nothing here.</p>"),
};

const page = (title: string, body: string): PageAnswer => ({
  status: 200,
  html: htmlPage(title, `<h1 class="wide">${escapeHtml(title)}</h1>${body}`),
});

const link = (href: string, text: string): string =>
  `<li><a href="/${href.split("/").map(encodeURIComponent).join("/")}">${escapeHtml(text)}</a></li>`;

/** `segments` are the decoded parts of the path: `owner/repo[/src/(branch|commit)/ref[/path]]`. */
export const pageAnswer = async (repositories: GitRepositories, segments: string[]): Promise<PageAnswer> => {
  const [owner, name, view, refKind, ref, ...path] = segments;
  if (!owner) return repositoryList(await repositories.list());
  const repository = name ? await repositories.find(owner, name) : undefined;
  if (!repository) return notFound;
  if (!view) return folderPage(repository, await repositories.head(repository), `branch/${defaultBranch}`, "");
  const isSource = view === "src" && (refKind === "branch" || refKind === "commit") && ref;
  const snapshot = isSource ? await repositories.resolve(repository, ref) : undefined;
  if (!snapshot) return notFound;
  return entryPage(repository, snapshot, `${refKind}/${ref}`, path.join("/"));
};

const entryPage = (repository: GitRepository, snapshot: Snapshot, at: string, path: string): PageAnswer => {
  const entry = snapshot.entries.get(path);
  if (path === "" || entry?.mode === "40000") return folderPage(repository, snapshot, at, path);
  return entry ? filePage(repository, entry) : notFound;
};

const repositoryList = (all: GitRepository[]): PageAnswer =>
  page(
    "Repositories",
    `<ul>${all.map(({ owner, name }) => link(`${owner}/${name}`, `${owner}/${name}`)).join("")}</ul>`,
  );

const folderPage = (
  { owner, name }: GitRepository,
  snapshot: Snapshot | undefined,
  at: string,
  path: string,
): PageAnswer => {
  const children = snapshot ? childrenOf(snapshot, path) : [];
  const items = children.map((child) => link(`${owner}/${name}/src/${at}/${child.path}`, child.name));
  return page([owner, name, path].filter(Boolean).join("/"), `<ul>${items.join("")}</ul>`);
};

const filePage = ({ owner, name }: GitRepository, { path, bytes }: GitEntry): PageAnswer =>
  page(`${owner}/${name}/${path}`, `<pre>${escapeHtml(bytes.toString())}</pre>`);
