// Tasks linked to issues of a scripted git host, and what is shown of them.
import type { GitState, Task, TaskCreate } from "@task-service/contract";
import { createIssueHost } from "../src/git/git-host-issues.ts";
import { createGitHostRequests } from "../src/git/git-host-requests.ts";
import { createMirror, type Mirror, type MirrorOptions } from "../src/mirror/mirror.ts";
import { createLogger } from "../src/platform/logger.ts";
import { createFleet, createTask, type Fleet } from "./factories.ts";
import { type ScriptedGitHost, startScriptedGitHost } from "./scripted-git-host.ts";
import { type ScriptedIssue, type ScriptedIssues, type ScriptedRepository, serveIssues } from "./scripted-issues.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "./test-app.ts";

export interface MirroredApp {
  app: TestApp;
  fleet: Fleet;
  host: ScriptedGitHost;
  issues: ScriptedIssues;
  /** A repository of its own, as `acme/<something>`, with these issues. */
  addRepository(issues: ScriptedIssue[]): ScriptedRepository;
  /** A task linked to an issue, by the name given or the one that the repository has. */
  link(repository: { full_name: string }, number: number, kind?: "issues" | "pulls"): Promise<Task>;
  /** What is shown, once nothing is under way in the background; without the time of our knowledge. */
  shown(task: Task): Promise<Omit<GitState, "synced_at"> | null>;
  /** A mirror beside the app's, of the same host and tasks, with limits of its own; to be closed. */
  mirrorWith(options: Partial<MirrorOptions>): Mirror;
  /** What the history tells of the mirror, newest first. */
  told(task: Task): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

let count = 0;

/** An API on a git host that does as told; organizations and personas are on another one, which the tests share. */
export const startMirroredApp = async (options: TestAppOptions = {}): Promise<MirroredApp> => {
  const host = await startScriptedGitHost();
  const issues = serveIssues(host);
  const app = await startTestApp({ ...options, env: { GIT_URL: host.url, ...options.env } });
  const fleet = await createFleet(app, []);
  const body: Partial<TaskCreate> = { assignee_type: null, assignee: null, organization: fleet.organization.slug };
  return {
    app,
    fleet,
    host,
    issues,
    addRepository: (list) => {
      count++;
      const repository = { id: 100 + count, full_name: `acme/Shop-${count}`, issues: list };
      issues.repositories.set(repository.full_name.toLowerCase(), repository);
      return repository;
    },
    link: ({ full_name }, number, kind = "issues") =>
      createTask(app, fleet, { ...body, git_link: `${host.url}/${full_name}/${kind}/${number}` }),
    shown: async ({ id }) => {
      await app.mirror.idle();
      const { git_state } = await app.client.getTask({ params: { id } });
      if (!git_state) return null;
      const { synced_at: _at, ...shown } = git_state;
      return shown;
    },
    mirrorWith: (own) =>
      createMirror({
        sql: app.database.background,
        host: createIssueHost(createGitHostRequests({ apiUrl: `${host.url}/api/v1`, readToken: "token" })),
        gitUrl: host.url,
        log: createLogger("silent"),
        pauseMs: () => 0,
        ...own,
      }),
    told: async ({ id }) => {
      const { items } = await app.client.listTaskEvents({ params: { id }, query: {} });
      return items.filter(({ type }) => type === "task.mirrored").map(({ data }) => data);
    },
    close: async () => {
      await app.close();
      await host.stop();
    },
  };
};

/** An open issue that changed at this second of an hour. */
export const issueAt = (number: number, second: number, more: Partial<ScriptedIssue> = {}): ScriptedIssue => ({
  number,
  title: `Issue ${number}`,
  state: "open",
  updated_at: new Date(Date.UTC(2026, 7, 4, 12, 0, second)).toISOString().replace(".000Z", "+00:00"),
  ...more,
});
