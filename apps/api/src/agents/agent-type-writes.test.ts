// Writing many large personas (D-31): in statements of a few MiB, since one of all of them would hold up the process, or end it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSlug } from "../../test/factories.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { transact } from "../platform/database.ts";
import { type PersonaFile, upsertPersonas } from "./agent-type-queries.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const fileOf = (n: number, body: string): PersonaFile => ({
  slug: `p${String(n).padStart(3, "0")}`,
  name: 'Quote " and \\',
  description: "{a,NULL,\\N}",
  body,
  path: `personas/p${n}.md`,
  blob_sha: "a".repeat(40),
});

const startOrganization = async () => {
  const slug = newSlug();
  const { id } = await app.client.createOrganization({ body: { slug } });
  const write = (files: PersonaFile[]) =>
    transact(app.database.background, (transaction) =>
      upsertPersonas(transaction, id, { owner: slug, repo: "agents" }, "c".repeat(40), files),
    );
  return { id, write };
};

test("100 personas of 250 KiB, every character escaped, are written whole, 4 MiB of JSON at a time", async () => {
  const { id, write } = await startOrganization();
  const body = '"\\'.repeat(125 * 1024);
  await write(Array.from({ length: 100 }, (_, n) => fileOf(n, body)));
  const statements = await app.sql<{ count: number; bytes: number }[]>`
    select count(*), sum(octet_length(to_json(body)::text))::bigint as bytes, bool_and(body = ${body}) as is_whole
    from agent_types where organization_id = ${id} group by cmin::text
  `;
  expect(statements.reduce((sum, { count }) => sum + count, 0)).toBe(100);
  expect(statements).toHaveLength(Math.ceil(100 / 8));
  for (const { bytes } of statements) expect(bytes).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect(statements).toEqual(statements.map((one) => ({ ...one, is_whole: true })));
});

test("small ones share one statement, each with its version", async () => {
  const { id, write } = await startOrganization();
  await write(Array.from({ length: 200 }, (_, n) => fileOf(n, "# Röle\t\u{1f600}\u0001\r\n")));
  const rows = await app.sql`
    select a.name, a.description, a.body, v.body as frozen, v.name as frozen_name, min(a.cmin::text) over () = a.cmin::text as is_of_one
    from agent_types a join agent_type_versions v on v.id = a.version_id and v.agent_type_id = a.id where a.organization_id = ${id}
  `;
  const { name, description, body } = fileOf(0, "# Röle\t\u{1f600}\u0001\r\n");
  const row = { name, description, body, frozen: body, frozen_name: name, is_of_one: true };
  expect(rows).toEqual(Array.from({ length: 200 }, () => row));
});
