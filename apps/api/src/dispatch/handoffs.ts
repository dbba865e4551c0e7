// What an executor is given: the task as it was claimed and the persona of its version, whose text is read once, not per claim.
import type { DispatchedAgentType, Handoff } from "@task-service/contract";
import { sourceColumn } from "../agents/agent-type-queries.ts";
import type { Sql } from "../platform/database.ts";
import { findLatestNotes } from "../tasks/note-queries.ts";
import type { HandedOver } from "./waiting-line.ts";

type PersonaVersion = Pick<DispatchedAgentType, "name" | "description" | "body" | "source">;

/** Completes what was claimed, in its order. */
export type CompleteHandoffs = (handed: readonly HandedOver[]) => Promise<Handoff[]>;

const maxRememberedCharacters = 32 * 1024 * 1024;

const leaseEnd = (dispatchedAt: string, leaseSeconds: number | null): string | null =>
  leaseSeconds === null ? null : new Date(Date.parse(dispatchedAt) + leaseSeconds * 1000).toISOString();

const toHandoff = ({ slot, task }: HandedOver, persona: PersonaVersion, notes: Handoff["notes"]): Handoff => {
  const { dispatch_id, agent_type_version_id, agent_type, dispatched_at } = task;
  if (!agent_type || !dispatched_at) throw new Error(`the claimed task ${task.id} has no agent type or no dispatch`);
  return {
    dispatch: {
      id: dispatch_id,
      task_id: task.id,
      organization_id: task.organization_id,
      agent_type_id: agent_type.id,
      agent_type_version_id,
      executor: slot.executor,
      actor: slot.actor,
      attempt: task.dispatch_count,
      dispatched_at,
      lease_seconds: slot.lease_seconds,
      lease_expires_at: leaseEnd(dispatched_at, slot.lease_seconds),
      last_heard_at: dispatched_at,
      input_tokens: 0,
      output_tokens: 0,
      ended_at: null,
      outcome: null,
      reason: null,
    },
    task,
    agent_type: {
      id: agent_type.id,
      slug: agent_type.slug,
      name: persona.name,
      description: persona.description,
      body: persona.body,
      is_active: agent_type.is_active,
      source: persona.source,
    },
    notes,
  };
};

export const createHandoffs = (sql: Sql, gitUrl: string): CompleteHandoffs => {
  // Versions never change; the least recently used goes first.
  const remembered = new Map<string, PersonaVersion>();
  let characters = 0;

  const remember = (id: string, persona: PersonaVersion): void => {
    if (remembered.has(id)) return;
    remembered.set(id, persona);
    characters += persona.body.length;
    for (const [oldest, { body }] of remembered) {
      if (characters <= maxRememberedCharacters || oldest === id) break;
      remembered.delete(oldest);
      characters -= body.length;
    }
  };

  const readVersions = async (ids: readonly string[]): Promise<Map<string, PersonaVersion>> => {
    const versions = new Map<string, PersonaVersion>();
    for (const id of ids) {
      const persona = remembered.get(id);
      if (!persona) continue;
      remembered.delete(id);
      remembered.set(id, persona);
      versions.set(id, persona);
    }
    const unknown = ids.filter((id) => !versions.has(id));
    if (unknown.length === 0) return versions;
    const rows = await sql<(PersonaVersion & { id: string })[]>`
      select v.id, v.name, v.description, v.body, ${sourceColumn(sql, gitUrl)}
      from agent_type_versions v where v.id = any(${unknown}::uuid[])
    `;
    for (const { id, ...persona } of rows) {
      versions.set(id, persona);
      remember(id, persona);
    }
    return versions;
  };

  return async (handed) => {
    const noted = handed.flatMap(({ task }) => (task.note_count > 0 ? [task.id] : []));
    const [versions, notes] = await Promise.all([
      readVersions([...new Set(handed.map(({ task }) => task.agent_type_version_id))]),
      findLatestNotes(sql, noted),
    ]);
    return handed.map((one) => {
      const persona = versions.get(one.task.agent_type_version_id);
      if (!persona) throw new Error(`the persona version ${one.task.agent_type_version_id} is gone`);
      return toHandoff(one, persona, notes.get(one.task.id) ?? []);
    });
  };
};
