// What a round costs, and where it ends (D-34): requests, statements, and how soon it stops.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { issueAt, type MirroredApp, startMirroredApp } from "../../test/mirrored-task.ts";
import type { ScriptedRepository } from "../../test/scripted-issues.ts";
import type { Sql } from "../platform/database.ts";
import type { Mirror } from "./mirror.ts";

let mirrored: MirroredApp;
beforeAll(async () => {
  mirrored = await startMirroredApp();
});
beforeEach(async () => {
  mirrored.issues.refuse = () => undefined;
  mirrored.issues.now = "2026-08-05T00:00:00.000Z";
  await mirrored.app.sql`update tasks set git_link = null, git_state = null`;
});
afterAll(() => mirrored.close());

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Tasks linked to the issues 1 to `count` of a repository that has a few more, all read by now. */
const linkedTo = async (count: number, more = 0): Promise<ScriptedRepository> => {
  const repository = mirrored.addRepository(range(count + more).map((number) => issueAt(number, 0)));
  const { slug } = mirrored.fleet.organization;
  const tasks = range(count).map((number) => ({
    prompt: "Do it",
    organization: slug,
    git_link: `${mirrored.host.url}/${repository.full_name}/issues/${number}`,
  }));
  await mirrored.app.client.createTasks({ body: { tasks } });
  await mirrored.app.mirror.idle();
  return repository;
};

/** What a round asked the host for. */
const look = async (mirror: Mirror = mirrored.app.mirror, signal?: AbortSignal): Promise<string[]> => {
  const before = mirrored.host.requests.length;
  await mirror.look(signal);
  await mirror.idle();
  return mirrored.host.requests.slice(before).map(({ path }) => path);
};
const singles = (paths: readonly string[]): string[] => paths.filter((path) => /issues\/\d+$/.test(path));

const age = () => mirrored.app.sql`
  update tasks set git_state = git_state || '{"synced_at": "2020-01-01T00:00:00.000Z"}' where git_state is not null
`;

/** Counts the statements that are sent; parts of one are not. */
const counting = (sql: Sql): { sql: Sql; sent: string[] } => {
  const sent: string[] = [];
  const proxy = new Proxy(sql, {
    apply: (target, self, args) => {
      const query = Reflect.apply(target as unknown as () => Promise<unknown>, self, args);
      const { then: send } = query;
      return Object.assign(query, {
        // biome-ignore lint/suspicious/noThenProperty: a statement is sent by its `then`.
        then: (...handlers: Parameters<Promise<unknown>["then"]>) => {
          sent.push(
            String((args[0] as string[])[0])
              .trim()
              .split("\n")[0] ?? "",
          );
          return send.apply(query, handlers);
        },
      });
    },
  });
  return { sql: proxy, sent };
};

test("a repository that nothing happened to costs one request and three statements", async () => {
  const round = async (count: number): Promise<number> => {
    for (let repository = 0; repository < count; repository++) await linkedTo(2);
    const { sql, sent } = counting(mirrored.app.database.background);
    const mirror = mirrored.mirrorWith({ sql });
    await mirror.look();
    sent.length = 0;
    const asked = await look(mirror);
    expect(asked.every((path) => path.includes("since="))).toBe(true);
    return sent.length;
  };
  const one = await round(1);
  expect((await round(4)) - one).toBe(4 * 3);
});

test("what was confirmed within six hours is not confirmed again; then so many in a round, ten of a repository", async () => {
  for (const count of [12, 12, 3]) await linkedTo(count);
  expect(singles(await look())).toEqual([]);
  await age();
  const mirror = mirrored.mirrorWith({ confirmationsOfRound: 15 });
  const perRound = [];
  for (let round = 0; round < 4; round++) perRound.push(singles(await look(mirror)).length);
  expect(perRound[0]).toBe(15);
  expect(perRound.reduce((sum, count) => sum + count, 0)).toBe(27);
  await age();
  const all = singles(await look());
  expect(all).toHaveLength(23);
  expect(singles(await look(mirrored.mirrorWith({ confirmedForMs: 0 })))).toHaveLength(23);
});

test("many that must be read are read out of lists, and one by one only what no list has", async () => {
  const repository = await linkedTo(120, 30);
  const [missing] = repository.issues.splice(6, 1);
  await mirrored.app.sql`update tasks set git_state = null where git_link is not null`;
  const asked = await look();
  expect(singles(asked)).toEqual([`repos/${repository.full_name}/issues/${missing?.number}`]);
  // That of changes, three pages of all, and the first of them again.
  expect(asked).toHaveLength(1 + 4 + 1);
  const [row] = await mirrored.app.sql`
    select count(*) filter (where git_state ->> 'state' = 'open') as open, count(*) filter (where git_state ->> 'state' = 'unreadable') as gone
    from tasks where git_link is not null
  `;
  expect(row).toEqual({ open: 119, gone: 1 });
});

test("a round that is stopped asks for nothing more", async () => {
  await linkedTo(20);
  await mirrored.app.sql`update tasks set git_state = null where git_link is not null`;
  const stopping = new AbortController();
  mirrored.issues.instead = () => {
    if (/issues\/\d+$/.test(mirrored.host.requests.at(-1)?.path ?? "")) stopping.abort();
    return false;
  };
  try {
    expect(singles(await look(mirrored.app.mirror, stopping.signal))).toHaveLength(1);
    expect(await look(mirrored.app.mirror, stopping.signal)).toEqual([]);
  } finally {
    mirrored.issues.instead = () => false;
  }
});
