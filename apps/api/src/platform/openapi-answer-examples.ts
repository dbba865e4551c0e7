// An answer of each shape, for the document: all tell one story, of a flaky login test at acme and the agents that see to it.
import type {
  AgentType,
  AgentTypeSummary,
  AgentTypeVersion,
  CapacityAnswer,
  Dispatch,
  DispatchDetail,
  DispatchedAgentType,
  Event,
  Executor,
  Handoff,
  Me,
  Note,
  Organization,
  Position,
  Sync,
  Task,
  TaskCount,
  TaskSummary,
} from "@task-service/contract";
import { acmeId, developerId, numberExamples } from "./openapi-number-examples.ts";

const versionId = "01a1fc70-3c1e-7b02-a1d9-0f4e6c8b7a35";
const taskId = "01a1fc7d-059e-71ce-8b5d-47f2932cc04a";
const dispatchId = "01a1fc7d-9e21-7f60-b3aa-1c5d8e2f7049";
const commit = "3f2a9c1e7b5d4086a1c9e2f4b6d8a0c3e5f71b29";

const alice = { sub: "alice", name: "alice" };
const executor = { sub: "executor", name: "executor" };

const source = {
  path: "personas/developer.md",
  commit,
  blob_sha: "9d1c3a7e5b2f4608c4e6a8b0d2f41c3e5a7b9d0f",
  html_url: `https://git.example/acme/acme-agents/src/commit/${commit}/personas/developer.md`,
};
const persona = {
  id: developerId,
  slug: "developer",
  name: "Developer",
  description: "Implements a change and proves it with a test",
  is_active: true,
  source,
};
const body = "## Role\n\nYou are a developer of the acme web shop.\n\n## Responsibilities\n\n…\n";

const agentTypeSummary: AgentTypeSummary = {
  ...persona,
  organization_id: acmeId,
  organization_slug: "acme",
  last_synced_at: "2026-11-21T09:25:00.000Z",
  queued_count: 3,
  dispatched_count: 1,
};

const prompt =
  "The login test fails about once in ten runs. Find out why, fix it, and open a pull request.\n\nRun it with `npm test -- login`.";

const taskSummary: TaskSummary = {
  id: taskId,
  organization_id: acmeId,
  organization_slug: "acme",
  title: "Fix the flaky login test",
  priority: 50,
  assignee_type: "agent",
  assignee: developerId,
  agent_type: { id: developerId, slug: "developer", name: "Developer", is_active: true },
  state: "queued",
  needs_attention: false,
  labels: ["tests", "web-shop"],
  parent_id: null,
  root_id: taskId,
  depth: 0,
  git_link: {
    url: "https://git.example/acme/web-shop/issues/412",
    kind: "issue",
    owner: "acme",
    repo: "web-shop",
    number: 412,
  },
  git_state: {
    kind: "issue",
    state: "open",
    draft: false,
    title: "Login test is flaky",
    labels: ["kind/bug"],
    html_url: "https://git.example/acme/web-shop/issues/412",
    updated_at: "2026-11-21T08:14:05.000Z",
    synced_at: "2026-11-21T09:30:00.210Z",
  },
  input_tokens: 0,
  output_tokens: 0,
  dispatch_count: 0,
  current_dispatch_id: null,
  executor: null,
  dispatched_at: null,
  dispatch_ended_at: null,
  created_by: alice,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
  queued_at: "2026-11-21T09:30:00.000Z",
  version: 1,
  prompt_excerpt: prompt,
};
const { prompt_excerpt: _excerpt, ...fields } = taskSummary;
const task: Task = { ...fields, prompt, result: null };

const dispatch: Dispatch = {
  id: dispatchId,
  task_id: taskId,
  organization_id: acmeId,
  agent_type_id: developerId,
  agent_type_version_id: versionId,
  executor: "build-7",
  actor: executor,
  attempt: 1,
  dispatched_at: "2026-11-21T09:30:39.000Z",
  lease_seconds: 300,
  lease_expires_at: "2026-11-21T09:35:39.000Z",
  last_heard_at: "2026-11-21T09:30:39.000Z",
  input_tokens: 0,
  output_tokens: 0,
  ended_at: null,
  outcome: null,
  reason: null,
};
const dispatchedAgentType: DispatchedAgentType = { ...persona, body };

const handoff: Handoff = {
  dispatch,
  task: {
    ...task,
    state: "dispatched",
    dispatch_count: 1,
    current_dispatch_id: dispatchId,
    executor: "build-7",
    dispatched_at: dispatch.dispatched_at,
    updated_at: dispatch.dispatched_at,
    version: 2,
  },
  agent_type: dispatchedAgentType,
  notes: [{ at: "2026-11-21T09:30:12.000Z", actor: alice, text: "It only fails when the cache is cold." }],
};

const sync: Sync = {
  status: "ok",
  message: null,
  commit,
  started_at: "2026-11-21T09:24:59.000Z",
  finished_at: "2026-11-21T09:25:00.000Z",
  errors: [],
  warnings: [{ path: "personas/reviewer.md", line: null, detail: "has no section «Out of scope»" }],
};

/** By the name of the shape; typed, so that an example can only be out of date together with its schema. */
export const answerExamples = {
  Task: task,
  TaskSummary: taskSummary,
  TaskCount: { count: 1284, exact: true } satisfies TaskCount,
  Note: {
    id: "01a1fc7d-6a30-7c1e-9d44-2b7f5e8c0a13",
    task_id: taskId,
    dispatch_id: null,
    actor: alice,
    text: "It only fails when the cache is cold.",
    at: "2026-11-21T09:30:12.000Z",
  } satisfies Note,
  Dispatch: dispatch,
  DispatchedAgentType: dispatchedAgentType,
  DispatchDetail: { ...dispatch, agent_type: dispatchedAgentType } satisfies DispatchDetail,
  Handoff: handoff,
  CapacityAnswer: { dispatches: [handoff], revoked: [] } satisfies CapacityAnswer,
  Executor: {
    executor: "build-7",
    actor: executor,
    live_dispatches: 1,
    free_slots: 3,
    is_waiting: true,
    organization: { id: acmeId, slug: "acme" },
    agent_types: null,
    last_signal_at: "2026-11-21T09:30:39.000Z",
  } satisfies Executor,
  Position: {
    position: 3,
    ahead: [
      { priority: 100, count: 1 },
      { priority: 50, count: 1 },
    ],
    overtaken_count: 0,
    oldest_ahead_at: "2026-11-21T09:12:04.000Z",
    waiting_executors: 0,
    estimated_wait_seconds: 90,
    reasons: ["behind_higher_priority", "behind_older", "no_free_capacity"],
  } satisfies Position,
  AgentType: { ...agentTypeSummary, body } satisfies AgentType,
  AgentTypeSummary: agentTypeSummary,
  AgentTypeVersion: {
    id: versionId,
    agent_type_id: developerId,
    name: persona.name,
    description: persona.description,
    body,
    source,
    first_seen_at: "2026-11-20T16:05:00.000Z",
  } satisfies AgentTypeVersion,
  Organization: {
    id: acmeId,
    slug: "acme",
    name: "Acme",
    agents_repo_url: null,
    agents_repo_effective_url: "https://git.example/acme/acme-agents",
    sync,
    agent_type_count: 2,
    created_at: "2026-11-20T14:00:00.000Z",
    updated_at: "2026-11-20T14:00:00.000Z",
  } satisfies Organization,
  Sync: sync,
  Event: {
    id: "0000000000184467",
    at: "2026-11-21T09:30:39.000Z",
    type: "task.dispatched",
    organization_id: acmeId,
    task_id: taskId,
    actor: executor,
    data: { dispatch_id: dispatchId, executor: "build-7", attempt: 1 },
  } satisfies Event,
  ...numberExamples,
  Me: {
    ...alice,
    expires_at: "2026-11-21T09:45:00.000Z",
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
  } satisfies Me,
};
