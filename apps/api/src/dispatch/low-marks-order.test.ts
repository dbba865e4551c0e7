// Low marks against a plain list (reliability.md 5.4): whatever happens, a claim sees the order as it is.
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import type { Sql, Transaction } from "../platform/database.ts";
import { createLowMarks, type LowMarks } from "./low-marks.ts";
import { countWaiting, type QueueFilter, queueHead, scopesOf } from "./queue-head.ts";

let app: TestApp;
let sql: Sql;
beforeAll(async () => {
  app = await startTestApp();
  sql = app.sql;
  // Places without tasks: only their order matters here.
  await sql`alter table ready drop constraint if exists ready_task_id_fkey`;
});
afterAll(() => app.close());

const [here, there] = [randomUUID(), randomUUID()];
/** Agent types, with the organization of each. */
const types = [here, here, there].map((organization) => ({ id: randomUUID(), organization }));

interface Place {
  /** As tasks have it. */
  priority: number;
  seq: number;
  type: number;
}

const filters: QueueFilter[] = [
  { organizationId: undefined, agentTypeIds: undefined },
  { organizationId: here, agentTypeIds: undefined },
  { organizationId: undefined, agentTypeIds: [types[1]?.id ?? ""] },
  { organizationId: undefined, agentTypeIds: [types[0]?.id ?? "", types[2]?.id ?? ""].toSorted() },
];
const suits = ({ organizationId, agentTypeIds }: QueueFilter, { type }: Place): boolean =>
  (organizationId === undefined || types[type]?.organization === organizationId) &&
  (agentTypeIds === undefined || agentTypeIds.includes(types[type]?.id ?? ""));

const draw = async (queryable: Sql | Transaction): Promise<number> => {
  const [{ seq } = { seq: 0 }] = await queryable<{ seq: number }[]>`select nextval('queue_seq') as seq`;
  return seq;
};
const insert = (queryable: Sql | Transaction, { priority, seq, type }: Place, returned: boolean) => queryable`
  insert into ready (priority, queue_seq, task_id, organization_id, agent_type_id, returned)
  values (${-priority}, ${seq}, ${randomUUID()}, ${types[type]?.organization ?? ""}, ${types[type]?.id ?? ""}, ${returned})
`;
const remove = ({ seq }: Place) => sql`delete from ready where queue_seq = ${seq}`;

/** An insert whose transaction is open. */
interface OpenInsert {
  place: Place;
  untilMs: number;
  end: (commits: boolean) => Promise<void>;
}

const openInsert = async (priority: number, type: number, untilMs: number): Promise<OpenInsert> => {
  const inserted = Promise.withResolvers<Place>();
  const ending = Promise.withResolvers<boolean>();
  const done = sql
    .begin(async (transaction) => {
      const place = { priority, type, seq: await draw(transaction) };
      await insert(transaction, place, false);
      inserted.resolve(place);
      if (!(await ending.promise)) throw new Error("rolled back");
    })
    .catch(() => {});
  return {
    place: await inserted.promise,
    untilMs,
    end: async (commits) => {
      ending.resolve(commits);
      await done;
    },
  };
};

interface Model {
  queue: Place[];
  claimed: Place[];
  open: OpenInsert[];
  clock: { nowMs: number };
  marks: LowMarks;
}

const inOrder = (queue: readonly Place[], filter: QueueFilter): Place[] =>
  queue.filter((place) => suits(filter, place)).toSorted((a, b) => b.priority - a.priority || a.seq - b.seq);

const endOpen = async (model: Model, isDue: (open: OpenInsert) => boolean, commits: boolean): Promise<void> => {
  for (const open of model.open.filter(isDue)) {
    await open.end(commits);
    if (commits) model.queue.push(open.place);
  }
  model.open = model.open.filter((open) => !isDue(open));
};

/** What a claim of one process does with the marks; it rolls back where `commits` is false. */
const claim = async (model: Model, filter: QueueFilter, places: number, commits: boolean): Promise<void> => {
  const scopes = scopesOf(filter);
  const [{ kind }] = scopes as [(typeof scopes)[number]];
  const spans = model.marks.spansOf(scopes);
  const found = await sql<{ priority: number; queue_seq: number }[]>`${queueHead(sql, spans, kind, 64)}`;
  const expected = inOrder(model.queue, filter);
  expect(found.map(({ queue_seq }) => queue_seq)).toEqual(expected.slice(0, 64).map(({ seq }) => seq));
  expect(await countWaiting(sql, [{ kind, spans }])).toEqual([expected.length]);
  if (!commits) return;
  const taken = expected.slice(0, places);
  for (const place of taken) await remove(place);
  model.queue = model.queue.filter((place) => !taken.includes(place));
  model.claimed.push(...taken);
  model.marks.taken(scopes, new Set(taken.map(({ priority }) => priority)));
};

const create = async ({ queue }: Model, priority: number, type: number, count: number): Promise<void> => {
  for (let n = 0; n < count; n++) {
    const place = { priority, type, seq: await draw(sql) };
    await insert(sql, place, false);
    queue.push(place);
  }
};

/** Time passes: marks move each second, and no insert outlives its statement timeout. */
const pass = async (model: Model, ms: number, commits: boolean): Promise<void> => {
  const untilMs = model.clock.nowMs + ms;
  while (model.clock.nowMs < untilMs) {
    await model.marks.refresh();
    model.clock.nowMs += 1000;
    await endOpen(model, (open) => open.untilMs <= model.clock.nowMs, commits);
  }
};

interface Step {
  name: string;
  run(model: Model): Promise<void>;
}
const priority = fc.constantFrom(-32_768, 0, 0, 0, 0, 0, 0, 32_767);
const type = fc.nat(types.length - 1);
const which = fc.nat(20);
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(priority, type, fc.integer({ min: 1, max: 4 })).map(([p, t, count]) => ({
      name: `${count} new of ${p}, ${t}`,
      run: (model: Model) => create(model, p, t, count),
    })),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(priority, type, fc.integer({ min: 0, max: 5000 })).map(([p, t, ms]) => ({
      name: `slow ${p}, ${t}, ${ms} ms`,
      run: async (model: Model) => {
        if (model.open.length < 4) model.open.push(await openInsert(p, t, model.clock.nowMs + ms));
        // Others overtake it.
        await create(model, p, t, 2);
      },
    })),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...filters), fc.integer({ min: 1, max: 6 }), fc.boolean())
      .map(([filter, places, commits]) => ({
        name: `claim ${places} of ${filters.indexOf(filter)} ${commits ? "" : "in vain"}`,
        run: (model: Model) => claim(model, filter, places, commits),
      })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(which, fc.option(priority), fc.option(type)).map(([w, p, t]) => ({
      name: `return ${w} to ${p}, ${t}`,
      run: async (model: Model) => {
        const [back] = model.claimed.splice(w % Math.max(model.claimed.length, 1), 1);
        if (!back) return;
        const place = { ...back, priority: p ?? back.priority, type: t ?? back.type };
        await insert(sql, place, true);
        model.queue.push(place);
      },
    })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(which, priority, type).map(([w, p, t]) => ({
      name: `move ${w} to ${p}, ${t}`,
      run: async ({ queue }: Model) => {
        const place = queue[w % Math.max(queue.length, 1)];
        if (!place) return;
        await remove(place);
        Object.assign(place, { priority: p, type: t });
        await insert(sql, place, true);
      },
    })),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom(1000, 1000, 2000, 4000, 16_000, 61_000), fc.boolean()).map(([ms, commits]) => ({
      name: `${ms} ms pass`,
      run: (model: Model) => pass(model, ms, commits),
    })),
  },
);

test("whatever is inserted, claimed, rolled back, returned and moved: the order is the plain one, and no place is forgotten", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 30, maxLength: 60 }), async (all) => {
      await sql`delete from ready`;
      const clock = { nowMs: 0 };
      const marks = createLowMarks(sql, () => clock.nowMs);
      const model: Model = { queue: [], claimed: [], open: [], clock, marks };
      try {
        await pass(model, 16_000, true);
        for (const { run } of all) await run(model);
        for (const filter of filters) await claim(model, filter, 1000, true);
      } finally {
        await endOpen(model, () => true, false);
      }
    }),
    { numRuns: 40, endOnFailure: true },
  );
});
