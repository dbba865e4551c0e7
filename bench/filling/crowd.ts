// Who takes part in the filled service: organizations with their agent types, people, creators, executors; and the labels in use.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "pg";
import { idAt, type RandomSource } from "./random-source.ts";

export const organizationCount = 10;
const agentTypeCount = 50;

export interface FilledAgentType {
  id: string;
  organization_id: string;
  version_id: string;
}

export interface Actor {
  sub: string;
  name: string;
}

const named = (prefix: string, count: number): [string, ...string[]] => [
  `${prefix}-0`,
  ...Array.from({ length: count - 1 }, (_, n) => `${prefix}-${n + 1}`),
];

export const people = named("person", 40);
export const creators = named("creator", 30);
/** Created a few tasks among all. */
export const rareCreator = "creator-rare";
/** Created the oldest tasks and none since: what goes by creation knows nothing else, what goes by change nothing of it. */
export const goneCreator = "creator-gone";
export const executors = named("host", 200);
/** As which executors sign in. */
export const executorActor: Actor = { sub: "executor", name: "executor" };
export const labels = named("label", 60);
/** Given to tasks that are done, and to hardly any that wait. */
export const doneLabel = "label-done";
/** On a few tasks among all. */
export const rareLabel = "label-rare";
export const priorities = [100, 50, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -50, 10] as const;

export interface Crowd {
  organizations: readonly [string, ...string[]];
  agentTypes: readonly [FilledAgentType, ...FilledAgentType[]];
  /** Those of the last organization: it has few tasks. */
  quietAgentTypes: readonly [FilledAgentType, ...FilledAgentType[]];
}

/** Writes organizations, agent types and their versions as a synchronization leaves them. */
export const insertCrowd = async (client: Client, random: RandomSource, nowMs: number): Promise<Crowd> => {
  const body = await readFile(
    join(import.meta.dirname, "../../examples/repos/acme/acme-agents/personas/developer.md"),
    "utf8",
  );
  const newId = (): string => idAt(nowMs, random);
  const organizations = Array.from({ length: organizationCount }, newId) as [string, ...string[]];
  for (const [n, id] of organizations.entries())
    await client.query("insert into organizations (id, slug, name) values ($1, $2, $2)", [id, `organization-${n}`]);
  const agentTypes = Array.from({ length: agentTypeCount }, (_, n): FilledAgentType => {
    const organization_id = organizations[n % organizationCount] ?? organizations[0];
    return { id: newId(), organization_id, version_id: newId() };
  });
  for (const [n, { id, organization_id, version_id }] of agentTypes.entries()) {
    const slug = `agent-type-${n}`;
    await client.query(
      `insert into agent_types (id, organization_id, slug, name, description, body, is_active, last_synced_at, version_id)
      values ($1, $2, $3, $3, $3, $4, true, now(), $5)`,
      [id, organization_id, slug, body, version_id],
    );
    await client.query(
      `insert into agent_type_versions (id, agent_type_id, name, description, body, repo_owner, repo_name, path, commit,
        blob_sha, first_seen_at)
      values ($1, $2, $3, $3, $4, 'owner', 'owner-agents', 'personas/' || $3 || '.md', repeat('a', 40), repeat('b', 40), now())`,
      [version_id, id, slug, body],
    );
  }
  const isQuiet = (_: unknown, n: number): boolean => n % organizationCount === organizationCount - 1;
  return {
    organizations,
    agentTypes: agentTypes.filter((_, n) => !isQuiet(_, n)) as [FilledAgentType, ...FilledAgentType[]],
    quietAgentTypes: agentTypes.filter(isQuiet) as [FilledAgentType, ...FilledAgentType[]],
  };
};
