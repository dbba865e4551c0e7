// Makes the resources that tests need, each valid and with only what matters named.
import type {
  AgentType,
  AgentTypeVersion,
  Event,
  Executor,
  HistoryPoint,
  Me,
  Organization,
  Stats,
  Task,
} from "@task-service/contract";

let count = 0;

/** A fresh id, larger than every one before. */
export const nextId = (): string => {
  count += 1;
  return `01900000-0000-7000-8000-${count.toString(16).padStart(12, "0")}`;
};

export const instant = "2026-11-21T09:30:00.000Z";

export const makeMe = (me: Partial<Me> = {}): Me => ({
  sub: "alice",
  name: "alice",
  expires_at: instant,
  git_url: "https://git.example",
  limits: {
    prompt_characters: 262_144,
    title_characters: 200,
    result_characters: 262_144,
    labels: 20,
    priority_min: -32_768,
    priority_max: 32_767,
    page_size: 200,
    bulk_tasks: 500,
    note_characters: 65_536,
    task_depth: 32,
    tasks_per_root: 1000,
  },
  version: "0.1.0",
  ...me,
});

export const makeOrganization = (organization: Partial<Organization> = {}): Organization => {
  const slug = organization.slug ?? "acme";
  return {
    id: nextId(),
    slug,
    name: slug,
    agents_repo_url: null,
    agents_repo_effective_url: `https://git.example/${slug}/${slug}-agents`,
    sync: {
      status: "ok",
      message: null,
      commit: null,
      started_at: instant,
      finished_at: instant,
      errors: [],
      warnings: [],
    },
    agent_type_count: 1,
    created_at: instant,
    updated_at: instant,
    ...organization,
  };
};

export const makeAgentType = (organization: Organization, type: Partial<AgentType> = {}): AgentType => {
  const slug = type.slug ?? "developer";
  return {
    id: nextId(),
    organization_id: organization.id,
    organization_slug: organization.slug,
    slug,
    name: slug,
    description: `The ${slug}`,
    is_active: true,
    last_synced_at: instant,
    source: {
      path: `personas/${slug}.md`,
      commit: "0123456789abcdef",
      blob_sha: "0123456789abcdef",
      html_url: `https://git.example/${slug}`,
    },
    queued_count: 0,
    dispatched_count: 0,
    body: `# ${slug}`,
    ...type,
  };
};

export const makeVersion = (type: AgentType, version: Partial<AgentTypeVersion> = {}): AgentTypeVersion => ({
  id: nextId(),
  agent_type_id: type.id,
  name: type.name,
  description: type.description,
  body: type.body,
  source: type.source,
  first_seen_at: instant,
  ...version,
});

export const makeTask = (type: AgentType, task: Partial<Task> = {}): Task => {
  const id = task.id ?? nextId();
  return {
    id,
    organization_id: type.organization_id,
    organization_slug: type.organization_slug,
    title: "A task",
    prompt: "Do it.",
    result: null,
    priority: 0,
    assignee_type: "agent",
    assignee: type.id,
    agent_type: { id: type.id, slug: type.slug, name: type.name, is_active: type.is_active },
    state: "queued",
    needs_attention: false,
    labels: [],
    parent_id: null,
    root_id: id,
    depth: 0,
    git_link: null,
    git_state: null,
    input_tokens: 0,
    output_tokens: 0,
    dispatch_count: 0,
    current_dispatch_id: null,
    executor: null,
    dispatched_at: null,
    dispatch_ended_at: null,
    created_by: { sub: "alice", name: "alice" },
    created_at: instant,
    updated_at: instant,
    queued_at: instant,
    version: 1,
    ...task,
  };
};

export const makeEvent = (task: Task, event: Partial<Event> = {}): Event => ({
  id: nextId(),
  at: instant,
  type: "task.created",
  organization_id: task.organization_id,
  task_id: task.id,
  actor: { sub: "alice", name: "alice" },
  data: {},
  ...event,
});

export const makeExecutor = (executor: Partial<Executor> = {}): Executor => ({
  executor: "runner-1",
  actor: { sub: "runner", name: "runner" },
  live_dispatches: 0,
  free_slots: 1,
  is_waiting: true,
  organization: null,
  agent_types: null,
  last_signal_at: instant,
  ...executor,
});

const noDispatch = { dispatched: 0, per_minute: 0, wait_ms: { p50: null, p90: null, p95: null, p99: null } };

/** The numbers of a queue that holds these. */
export const makeStats = (queued: readonly Task[] = [], stats: Partial<Stats> = {}): Stats => ({
  at: instant,
  queued: queued.length,
  live: 0,
  oldest_queued_at: queued.map(({ queued_at }) => queued_at).toSorted()[0] ?? null,
  oldest_queued_seconds: queued.length > 0 ? 60 : null,
  by_priority: [...Map.groupBy(queued, ({ priority }) => priority)].map(([priority, { length }]) => ({
    priority,
    queued: length,
    live: 0,
  })),
  by_organization: [],
  by_agent_type: [],
  dispatch: { last_1h: noDispatch, last_24h: noDispatch, last_7d: noDispatch },
  ...stats,
});

export const makeHistoryPoint = (point: Partial<HistoryPoint> = {}): HistoryPoint => ({
  at: instant,
  queued: 0,
  live: 0,
  oldest_queued_seconds: null,
  by_priority: [],
  dispatched: 0,
  input_tokens: 0,
  output_tokens: 0,
  ...point,
});
