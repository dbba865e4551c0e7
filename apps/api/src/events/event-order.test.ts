// No gap and no repeat (D-28), whatever commits late, whoever disconnects, and whichever replica is asked.
import type { Event } from "@task-service/contract";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { allTold, type EventReader, readStream } from "../../test/event-reader.ts";
import { createFleet, createTask, createTasks, type Fleet, takeTask } from "../../test/factories.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { transact } from "../platform/database.ts";
import { appendEvent, serviceActor } from "./event-queries.ts";

let app: TestApp;
let replica: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  replica = await startTestApp({ beside: app, isBeating: true });
  fleet = await createFleet(app);
});
afterAll(async () => {
  await replica.close();
  await app.close();
});

let begin = "";
beforeEach(async () => {
  await allTold(app);
  const reader = await readStream(app);
  begin = reader.lastId() ?? "";
  reader.close();
});

interface LateWriter {
  /** The event has its id, and nobody sees it. */
  written: Promise<void>;
  commit(): void;
  rollBack(): void;
  ended: Promise<unknown>;
}

const writeLate = (name: string): LateWriter => {
  const written = Promise.withResolvers<void>();
  const decision = Promise.withResolvers<void>();
  const ended = transact(app.sql, async (transaction) => {
    await appendEvent(transaction, {
      type: "agents.synced",
      organization_id: null,
      actor: serviceActor,
      data: { name },
    });
    written.resolve();
    await decision.promise;
  }).catch(() => {});
  return {
    written: written.promise,
    commit: decision.resolve,
    rollBack: () => decision.reject(new Error("rolled back on purpose")),
    ended,
  };
};

const allSince = (after: string): Promise<Event[]> => app.sql<Event[]>`
  select lpad(id::text, 16, '0') as id, at, type, organization_id, task_id, actor, data from events
  where id > ${after}::bigint order by events.id
`;

/** Reading on from any place, on any replica, gives exactly what comes after it. */
const expectResumable = async (events: Event[]): Promise<void> => {
  const places = [begin, ...events.map(({ id }) => id)];
  await Promise.all(
    places.map(async (place, n) => {
      const reader = await readStream(n % 2 === 0 ? app : replica, { headers: { "last-event-id": place } });
      expect(await reader.until(events.length - n)).toEqual(events.slice(n));
      reader.close();
    }),
  );
};

test("what commits late is told in its place, to all who listen", async () => {
  await Promise.all([allTold(app), allTold(replica)]);
  const listening = [await readStream(app), await readStream(replica)];
  const late = writeLate("late");
  await late.written;
  await createTasks(app, fleet, 3);
  await createTask(replica, fleet);
  const lost = writeLate("lost");
  await lost.written;
  await createTask(app, fleet);
  // Meanwhile others come, and nobody is told what would make the late one a gap.
  const joining = await readStream(app, { query: `?after=${begin}` });
  const { items } = await replica.client.listEvents({ query: { limit: 1 } });
  expect(items[0]?.id).toBe(begin);
  expect([...listening, joining].flatMap((reader) => reader.events())).toEqual([]);
  late.commit();
  await late.ended;
  lost.rollBack();
  await lost.ended;
  const events = await allSince(begin);
  expect(events.map(({ type }) => type)).toEqual(["agents.synced", ...Array(5).fill("task.created")]);
  for (const reader of [...listening, joining]) {
    expect(await reader.until(6)).toEqual(events);
    reader.close();
  }
  await expectResumable(events);
});

test("a page holds all that was committed before it was asked for, and nothing that a stream would miss", async () => {
  for (let n = 0; n < 20; n++) {
    const { id } = await createTask(n % 2 === 0 ? app : replica, fleet);
    const { items } = await app.client.listEvents({ query: { limit: 1 } });
    expect(items[0]).toMatchObject({ type: "task.created", task_id: id });
  }
});

test("a task's events come in the order of its life, also when what ended it began before", async () => {
  await createTask(app, fleet);
  const { dispatch, task } = await takeTask(app, fleet);
  const reader = await readStream(replica, { query: `?task=${task.id}` });
  // It has its transaction's number before the change that it will follow.
  await transact(app.sql, async (transaction) => {
    await transaction`select pg_current_xact_id()`;
    await app.client.updateTask({ params: { id: task.id }, body: { result: "Done", dispatch_id: dispatch.id } });
    const { organization_id } = task;
    await appendEvent(transaction, { type: "task.finished", organization_id, task_id: task.id, actor: serviceActor });
  });
  expect((await reader.until(2)).map(({ type }) => type)).toEqual(["task.updated", "task.finished"]);
  reader.close();
});

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("create" as const),
      replica: fc.boolean(),
      count: fc.integer({ min: 1, max: 30 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("hold" as const), isLost: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("settle" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("reconnect" as const), reader: fc.nat(3), replica: fc.boolean() }),
  },
);

test("every reader has the same history, however writers, disconnections and resumptions interleave", async () => {
  const filters = ["", "", "type=agents.synced", `organization=${fleet.organization.id}`];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const [first] = (await app.client.listEvents({ query: { limit: 1 } })).items;
      const start = first?.id ?? "";
      const got: Event[][] = filters.map(() => []);
      const held: { late: LateWriter; isLost: boolean }[] = [];
      const work: Promise<unknown>[] = [];
      const connect = (n: number, place: string, to: TestApp) =>
        readStream(to, { query: `?${filters[n]}`, headers: { "last-event-id": place } });
      const readers: EventReader[] = await Promise.all(filters.map((_, n) => connect(n, start, n % 2 ? replica : app)));
      const settle = async () => {
        const next = held.shift();
        if (!next) return;
        if (next.isLost) next.late.rollBack();
        else next.late.commit();
        await next.late.ended;
      };
      for (const one of steps) {
        if (one.kind === "create") work.push(createTasks(one.replica ? replica : app, fleet, one.count));
        if (one.kind === "hold" && held.length < 3) {
          const late = writeLate(`n${work.length}`);
          await late.written;
          held.push({ late, isLost: one.isLost });
        }
        if (one.kind === "settle") await settle();
        if (one.kind === "reconnect") {
          const reader = readers[one.reader];
          reader?.close();
          await reader?.ended;
          got[one.reader]?.push(...(reader?.events() ?? []));
          const place = got[one.reader]?.at(-1)?.id ?? start;
          readers[one.reader] = await connect(one.reader, place, one.replica ? replica : app);
        }
      }
      while (held.length > 0) await settle();
      await Promise.all(work);
      const all = await allSince(start);
      const wanted = [
        all,
        all,
        all.filter(({ type }) => type === "agents.synced"),
        all.filter(({ organization_id }) => organization_id === fleet.organization.id),
      ];
      for (const [n, reader] of readers.entries()) {
        await reader.until((wanted[n]?.length ?? 0) - (got[n]?.length ?? 0));
        expect([...(got[n] ?? []), ...reader.events()]).toEqual(wanted[n]);
        reader.close();
      }
    }),
    { numRuns: 15, interruptAfterTimeLimit: 12_000 },
  );
}, 40_000);

test("a reader joins in the middle of a flood without gap or repeat", async () => {
  const flood = Promise.all(Array.from({ length: 20 }, () => createTasks(app, fleet, 100)));
  const readers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => readStream(n % 2 ? replica : app, { query: `?after=${begin}` })),
  );
  await flood;
  const events = await allSince(begin);
  expect(events).toHaveLength(2000);
  for (const reader of readers) {
    expect((await reader.until(2000)).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    reader.close();
  }
});
