// The agent types that tasks are queued for: five of two organizations, and a sixth that has no tasks of its own at first.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "pg";

/** The one whose executor finds the tasks of all others queued ahead. */
export const rareSlug = "auditor";
const fleet = [
  ["acme", "developer"],
  ["acme", "planner"],
  ["acme", "reviewer"],
  ["globex", "release-manager"],
  ["globex", "tester"],
  ["globex", rareSlug],
] as const;

/** Bodies of about 3 KB: those of the examples. */
const bodyOf = (slug: string): Promise<string> =>
  readFile(
    join(
      import.meta.dirname,
      "../../examples/repos/acme/acme-agents/personas",
      `${slug === rareSlug ? "tester" : slug}.md`,
    ),
    "utf8",
  );

/** Writes organizations, agent types and their versions as a synchronization leaves them. */
export const insertFleet = async (client: Client): Promise<void> => {
  for (const slug of new Set(fleet.map(([organization]) => organization)))
    await client.query("insert into organizations (id, slug, name) values ($1, $2, $2)", [randomUUID(), slug]);
  for (const [organization, slug] of fleet) {
    const [id, version, body] = [randomUUID(), randomUUID(), await bodyOf(slug)];
    await client.query(
      `insert into agent_types (id, organization_id, slug, name, description, body, is_active, last_synced_at, version_id)
      select $1, o.id, $2, $2, $2, $3, true, now(), $4 from organizations o where o.slug = $5`,
      [id, slug, body, version, organization],
    );
    await client.query(
      `insert into agent_type_versions (id, agent_type_id, name, description, body, repo_owner, repo_name, path, commit,
        blob_sha, first_seen_at)
      values ($1, $2, $3, $3, $4, $5, $5 || '-agents', 'personas/' || $3 || '.md', repeat('a', 40), repeat('b', 40), now())`,
      [version, id, slug, body, organization],
    );
  }
};

/** Ids of the five agent types that tasks are queued for. */
export const agentTypesOf = async (client: Client): Promise<string[]> => {
  const { rows } = await client.query<{ id: string }>("select id from agent_types where slug <> $1 order by slug", [
    rareSlug,
  ]);
  return rows.map(({ id }) => id);
};

/** The filter of an executor that takes tasks of the rare agent type only, for the query of `GET /tasks/next`. */
export const rareFilter = async (client: Client): Promise<string> => {
  const { rows } = await client.query<{ id: string }>("select id from agent_types where slug = $1", [rareSlug]);
  return `&agent_type=${rows[0]?.id}`;
};
