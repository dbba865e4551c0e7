// How a task reads: the columns of the resource (D-12) and the tables they come from.
import { promptExcerptCharacters, type TaskSummary } from "@task-service/contract";
import type { Fragment, Queryable } from "../platform/database.ts";

const summaryColumns = (sql: Queryable) => sql`
  t.id, t.organization_id, o.slug as organization_slug, t.title, t.priority, t.assignee_type, t.assignee,
  case when a.id is not null then
    json_build_object('id', a.id, 'slug', a.slug, 'name', a.name, 'is_active', a.is_active)
  end as agent_type,
  t.state, t.needs_attention, t.labels, t.parent_id, t.root_id, t.depth, t.git_link, t.git_state,
  t.input_tokens, t.output_tokens, t.dispatch_count, t.current_dispatch_id, t.executor, t.dispatched_at,
  t.dispatch_ended_at, t.created_by, t.created_at, t.updated_at, t.queued_at, t.version
`;

/** Everything a task shows, of `t` joined as in {@link taskJoins}. */
export const taskColumns = (sql: Queryable) => sql`${summaryColumns(sql)}, t.prompt, t.result`;

/** What lists show: no prompt and no result, but the prompt's beginning. */
const taskSummaryColumns = (sql: Queryable) =>
  sql`${summaryColumns(sql)}, left(t.prompt, ${promptExcerptCharacters}) as prompt_excerpt`;

/** To stand behind `from <tasks> t`. */
export const taskJoins = (sql: Queryable) =>
  sql`join organizations o on o.id = t.organization_id left join agent_types a on a.id = t.agent_type_id`;

/** What a list reads of each task `t` it finds. */
export interface Reading {
  columns: Fragment;
  joins: Fragment;
}

/** With its place among equal priorities, which the resource does not show. */
export interface QueuedTask extends TaskSummary {
  queue_seq: number;
}

export const asSummary = (sql: Queryable): Reading => ({
  columns: sql`${taskSummaryColumns(sql)}, t.queue_seq`,
  joins: taskJoins(sql),
});

export const asId = (sql: Queryable): Reading => ({ columns: sql`t.id`, joins: sql`` });
