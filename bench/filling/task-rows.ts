// Rows of tasks and dispatches, sent by the thousand as one JSON text each.
import type { Client } from "pg";
import type { Actor } from "./crowd.ts";

export interface TaskRow {
  id: string;
  organization_id: string;
  title: string;
  prompt: string;
  priority: number;
  assignee_type: "agent" | "user" | null;
  assignee: string | null;
  state: "queued" | "dispatched";
  needs_attention: boolean;
  labels: string[];
  parent_id: string | null;
  root_id: string;
  depth: number;
  git_link: object | null;
  git_state: object | null;
  result: string | null;
  input_tokens: number;
  output_tokens: number;
  dispatch_count: number;
  current_dispatch_id: string | null;
  executor: string | null;
  dispatched_at: string | null;
  dispatch_ended_at: string | null;
  failures: number;
  queue_seq: number | null;
  note_count: number;
  created_by: Actor;
  created_at: string;
  updated_at: string;
  queued_at: string;
  version: number;
}

export interface DispatchRow {
  id: string;
  task_id: string;
  organization_id: string;
  agent_type_id: string;
  agent_type_version_id: string;
  queue_seq: number | null;
  executor: string;
  actor: Actor;
  claim_key: string;
  attempt: number;
  dispatched_at: string;
  last_heard_at: string;
  ended_at: string | null;
  outcome: string | null;
  input_tokens: number;
  output_tokens: number;
}

/** Writes rows that all have the same keys, which are columns of the table; other columns have their defaults. */
export const insertRows = async (client: Client, table: string, rows: readonly object[]): Promise<void> => {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).join(", ");
  await client.query(
    `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
};
