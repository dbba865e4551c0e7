// An API in memory behind the contract's client: enough of its behaviour for the screens to be true to life.
import {
  type AgentType,
  type AgentTypeVersion,
  type Client,
  type DispatchDetail,
  type Event,
  type Executor,
  type GitLink,
  type Note,
  type OperationName,
  type Organization,
  operations,
  ProblemError,
  type Task,
  type TaskFilters,
  type TaskSummary,
} from "@task-service/contract";
import { fakeDispatchOperations } from "./fake-dispatch.ts";
import { problem } from "./fake-problems.ts";
import { makeMe, makeOrganization, makeStats, nextId } from "./resource-factory.ts";

export { problem };

export interface FakeWorld {
  organizations: Organization[];
  agentTypes: AgentType[];
  tasks: Task[];
  events: Event[];
  /** Newest first. */
  versions: AgentTypeVersion[];
  executors: Executor[];
  /** Newest first. */
  dispatches: DispatchDetail[];
  /** Newest first. */
  notes: Note[];
}

const pageOf = <T>(items: T[]) => ({ items, next_cursor: null });

const found = <T>(item: T | undefined): T => {
  if (!item) throw problem("not_found", "It is not there.");
  return item;
};

/** The issue or pull request on the fake git host that an address names. */
const gitLinkOf = (url: string): GitLink => {
  const [, owner = "", repo = "", path, number] =
    /^https:\/\/git\.example\/([\w.-]+)\/([\w.-]+)\/(issues|pulls)\/(\d+)$/.exec(url) ?? [];
  if (!path) {
    const detail = "must be the address of an issue or pull request on https://git.example";
    throw problem("invalid_request", "The request is not valid.", [{ pointer: "/git_link", detail }]);
  }
  return { url, kind: path === "issues" ? "issue" : "pull_request", owner, repo, number: Number(number) };
};

/** The dispatch order (D-18), as far as creation order stands for the sequence. */
const queueOrder = (tasks: Task[]) =>
  tasks
    .filter(({ state, assignee_type }) => state === "queued" && assignee_type === "agent")
    .toSorted((a, b) => b.priority - a.priority || a.id.localeCompare(b.id));

/** The filters that screens have use for, without words in a prompt. */
const fits =
  ({ state, live, needs_attention, assignee_type, parent_id, root_id, q, priority_min }: TaskFilters) =>
  (task: Task) =>
    (!state || task.state === state) &&
    (!live || (task.state === "dispatched" && !task.dispatch_ended_at)) &&
    (!needs_attention || task.needs_attention) &&
    (!assignee_type || task.assignee_type === assignee_type) &&
    (!parent_id || task.parent_id === parent_id) &&
    (!root_id || task.root_id === root_id) &&
    (priority_min === undefined || task.priority >= priority_min) &&
    (!q || task.id === q || task.title.toLowerCase().includes(q.toLowerCase()));

const asSummary = ({ prompt, result: _result, ...task }: Task): TaskSummary => ({
  ...task,
  prompt_excerpt: prompt.slice(0, 300),
});

/** Operations that a test does not override and the fake does not know reject. */
export const createFakeClient = (world: Partial<FakeWorld> = {}, overrides: Partial<Client> = {}): Client => {
  const { organizations = [], agentTypes = [], tasks = [], events = [], versions = [] } = world;
  const { executors = [], dispatches = [], notes = [] } = world;
  const taskOf = (id: string) => found(tasks.find((task) => task.id === id));
  const put = (task: Task, change: Partial<Task>): Task => {
    const changed = { ...task, ...change, version: task.version + 1 };
    tasks[tasks.indexOf(task)] = changed;
    return changed;
  };

  const known: Partial<Client> = {
    ...fakeDispatchOperations({ tasks, agentTypes, dispatches, notes, queue: () => queueOrder(tasks), put }),
    getMe: async () => makeMe(),
    listExecutors: async () => pageOf([...executors]),
    getStats: async () => makeStats(queueOrder(tasks)),
    getStatsHistory: async () => ({ items: [] }),
    getStatsUsage: async () => ({ items: [], total: { dispatches: 0, input_tokens: 0, output_tokens: 0 } }),
    countTasks: async (input) => ({ count: tasks.filter(fits(input?.query ?? {})).length, exact: true }),
    listOrganizations: async () => pageOf([...organizations]),
    createOrganization: async ({ body }) => {
      const created = makeOrganization({ slug: body.slug, name: body.name ?? body.slug, agent_type_count: 0 });
      organizations.push(created);
      return created;
    },
    listAgentTypes: async () => pageOf([...agentTypes]),
    listAgentTypeVersions: async ({ params }) =>
      pageOf(versions.filter(({ agent_type_id }) => agent_type_id === params.id)),
    getAgentType: async ({ params }) => found(agentTypes.find(({ id }) => id === params.id)),
    listTasks: async (input) => {
      const { sort, limit = 50, from_position = 1, cursor } = input?.query ?? {};
      const wanted = tasks.filter(fits(input?.query ?? {}));
      const ordered = sort === "queue" ? queueOrder(wanted) : sort === "created_at" ? wanted : wanted.toReversed();
      const from = cursor ? Number(cursor) : from_position - 1;
      const items = ordered.slice(from, from + limit).map(asSummary);
      return { items, next_cursor: from + limit < ordered.length ? String(from + limit) : null };
    },
    getTask: async ({ params }) => taskOf(params.id),
    updateTask: async ({ params, headers, body }) => {
      const task = taskOf(params.id);
      const expected = headers?.["if-match"];
      if (expected && expected !== `"${task.version}"`) throw problem("precondition_failed", "It has changed.");
      const { dispatch_id: _dispatch, git_link, ...fields } = body;
      const link = git_link ? gitLinkOf(git_link) : null;
      return put(task, { ...fields, ...(git_link !== undefined && { git_link: link, git_state: null }) });
    },
    requeueTask: async ({ params }) => put(taskOf(params.id), { state: "queued", executor: null, dispatched_at: null }),
    deleteTask: async ({ params }) => {
      tasks.splice(tasks.indexOf(taskOf(params.id)), 1);
      return null;
    },
    changeTasks: async ({ body: { ids, patch, ...rest } }) => {
      const changeOne = (id: string) => {
        if (rest.delete) tasks.splice(tasks.indexOf(taskOf(id)), 1);
        else if (rest.requeue) put(taskOf(id), { state: "queued", executor: null, dispatched_at: null });
        else if (patch) {
          const { git_link: _link, ...fields } = patch;
          const type = fields.assignee_type === "agent" && agentTypes.find((one) => one.id === fields.assignee);
          put(taskOf(id), { ...fields, ...(fields.assignee_type !== undefined && { agent_type: type || null }) });
        }
      };
      const items = ids.map((id) => {
        try {
          changeOne(id);
          return { id, status: rest.delete ? 204 : 200 };
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
          return { id, status: error.status, problem: error.problem };
        }
      });
      return { items };
    },
    listTaskDispatches: async ({ params }) => pageOf(dispatches.filter(({ task_id }) => task_id === params.id)),
    getTaskPosition: async ({ params }) => {
      const ahead = queueOrder(tasks).findIndex(({ id }) => id === params.id);
      return {
        position: ahead < 0 ? null : ahead + 1,
        ahead: ahead > 0 ? [{ priority: taskOf(params.id).priority, count: ahead }] : [],
        overtaken_count: 0,
        oldest_ahead_at: null,
        waiting_executors: 0,
        estimated_wait_seconds: null,
        reasons: ahead < 0 ? ["not_queued"] : ahead === 0 ? ["next"] : ["behind_older"],
      };
    },
    listEvents: async (input) => {
      const { task, type } = input?.query ?? {};
      return pageOf(
        events.filter((event) => (!task || event.task_id === task) && (!type || type.includes(event.type))),
      );
    },
    listTaskEvents: async ({ params }) => pageOf(events.filter(({ task_id }) => task_id === params.id)),
    syncOrganization: async ({ params }) => found(organizations.find(({ id }) => id === params.organization)).sync,
    createTask: async ({ body }) => {
      const type = agentTypes.find(
        ({ id, organization_slug, slug }) => body.assignee === id || body.assignee === `${organization_slug}/${slug}`,
      );
      if (body.assignee_type === "agent" && !type) throw problem("unknown_assignee", "There is no such agent type.");
      const template = found(tasks[0]);
      const created: Task = {
        ...template,
        id: nextId(),
        title: body.title ?? body.prompt.split("\n")[0] ?? "",
        prompt: body.prompt,
        priority: body.priority ?? 0,
        parent_id: body.parent_id ?? null,
      };
      tasks.push(created);
      return created;
    },
  };
  const refuse = (name: OperationName) => async () => {
    throw new Error(`The fake client does not know ${name}`);
  };
  const unknown = Object.fromEntries((Object.keys(operations) as OperationName[]).map((name) => [name, refuse(name)]));
  return { ...(unknown as unknown as Client), ...known, ...overrides };
};
