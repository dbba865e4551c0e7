// What a person sees who follows a link to the development git host: folders as lists, files as plain text.
import { type HttpAnswer, htmlAnswer } from "./git-host-http.ts";
import type { GitIssue } from "./git-issue.ts";
import { issuePath } from "./git-issue-answers.ts";
import type { GitIssues } from "./git-issues.ts";
import { defaultBranch, type GitRepositories, type GitRepository } from "./git-repository.ts";
import { childrenOf, type GitEntry, type Snapshot } from "./git-snapshot.ts";
import { escapeHtml, htmlPage } from "./html-page.ts";

const notFound = htmlAnswer(
  404,
  htmlPage("Not found", "<h1>Not found</h1><p>The development git host has nothing here.</p>"),
);

const page = (title: string, body: string): HttpAnswer =>
  htmlAnswer(200, htmlPage(title, `<h1 class="wide">${escapeHtml(title)}</h1>${body}`));

const link = (href: string, text: string): string =>
  `<li><a href="/${href.split("/").map(encodeURIComponent).join("/")}">${escapeHtml(text)}</a></li>`;

interface PageSources {
  repositories: GitRepositories;
  issues: GitIssues;
}

/** `segments` are the decoded parts of the path: `owner/repo[/src/(branch|commit)/ref[/path] | /(issues|pulls)[/number]]`. */
export const pageAnswer = async ({ repositories, issues }: PageSources, segments: string[]): Promise<HttpAnswer> => {
  const [owner, name, view, ...rest] = segments;
  if (!owner) return repositoryList(await repositories.list());
  const repository = name ? await repositories.find(owner, name) : undefined;
  if (!repository) return movedPage(repositories, segments);
  if (!view) return repositoryPage(repository, await repositories.head(repository), await issues.of(repository));
  if (view === "issues" || view === "pulls") return issuesPage(repository, await issues.of(repository), rest);
  const [refKind, ref, ...path] = rest;
  const isSource = view === "src" && (refKind === "branch" || refKind === "commit") && ref;
  const snapshot = isSource ? await repositories.resolve(repository, ref) : undefined;
  if (!snapshot) return notFound;
  return entryPage(repository, snapshot, `${refKind}/${ref}`, path.join("/"));
};

const movedPage = ({ renames }: GitRepositories, [owner = "", name = "", ...rest]: string[]): HttpAnswer => {
  const to = renames.movedTo({ owner, name });
  const path = to && [to.owner, to.name, ...rest].map(encodeURIComponent).join("/");
  return path ? { status: 307, headers: { Location: `/${path}` }, body: "" } : notFound;
};

const entryPage = (repository: GitRepository, snapshot: Snapshot, at: string, path: string): HttpAnswer => {
  const entry = snapshot.entries.get(path);
  if (path === "" || entry?.mode === "40000") return folderPage(repository, snapshot, at, path);
  return entry ? filePage(repository, entry) : notFound;
};

const repositoryList = (all: GitRepository[]): HttpAnswer =>
  page(
    "Repositories",
    `<ul>${all.map(({ owner, name }) => link(`${owner}/${name}`, `${owner}/${name}`)).join("")}</ul>`,
  );

const repositoryPage = (repository: GitRepository, head: Snapshot | undefined, issues: GitIssue[]): HttpAnswer => {
  const { owner, name } = repository;
  return page(
    `${owner}/${name}`,
    fileList(repository, head, `branch/${defaultBranch}`, "") + issueList(repository, issues),
  );
};

const folderPage = (repository: GitRepository, snapshot: Snapshot, at: string, path: string): HttpAnswer =>
  page([repository.owner, repository.name, path].filter(Boolean).join("/"), fileList(repository, snapshot, at, path));

const fileList = ({ owner, name }: GitRepository, snapshot: Snapshot | undefined, at: string, path: string): string => {
  const children = snapshot ? childrenOf(snapshot, path) : [];
  return `<ul>${children.map((child) => link(`${owner}/${name}/src/${at}/${child.path}`, child.name)).join("")}</ul>`;
};

const filePage = ({ owner, name }: GitRepository, { path, bytes }: GitEntry): HttpAnswer =>
  page(`${owner}/${name}/${path}`, `<pre>${escapeHtml(bytes.toString())}</pre>`);

/** Of one number, or of all. */
const issuesPage = (repository: GitRepository, issues: GitIssue[], [number]: string[]): HttpAnswer => {
  if (number === undefined) return page(`${repository.owner}/${repository.name}`, issueList(repository, issues));
  const issue = issues.find((one) => String(one.number) === number);
  if (!issue) return notFound;
  const facts = `${stateOf(issue)} · changed ${issue.updated_at}${issue.labels.map((label) => ` · ${label}`).join("")}`;
  return page(
    `#${number} ${issue.title}`,
    `<p class="quiet">${escapeHtml(facts)}</p><pre>${escapeHtml(issue.body)}</pre>`,
  );
};

const issueList = (repository: GitRepository, issues: GitIssue[]): string =>
  issues.length === 0
    ? ""
    : `<h2>Issues and pull requests</h2><ul>${issues
        .map((issue) => link(issuePath(repository, issue), `#${issue.number} ${issue.title} (${stateOf(issue)})`))
        .join("")}</ul>`;

const stateOf = ({ kind, state, draft }: GitIssue): string =>
  `${state}${draft ? " draft" : ""} ${kind === "issue" ? "issue" : "pull request"}`;
