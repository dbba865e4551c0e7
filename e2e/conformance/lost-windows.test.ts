// Named scenarios of the windows that random kills miss: committed, and then the replica dies or does not know how it went.
import type { CapacitySignal } from "@task-service/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Service, startService } from "./replicas.ts";
import { newName, refusalOf, setStage } from "./scenario-stage.ts";

let service: Service;

beforeAll(async () => {
  service = await startService({ replicas: 2, isTest: true });
}, 60_000);
afterAll(() => service.stop(), 60_000);

/** The first replica will have an accident; the second stays well. */
const arm = async (failpoints: string): Promise<void> => {
  const [replica] = service.replicas;
  await replica?.stop();
  await replica?.start({ FAILPOINTS: failpoints });
};

/** Cut off by the death of the replica, or refused because it does not know. */
const loses = (request: Promise<unknown>): Promise<void> =>
  request.then(
    () => Promise.reject(new Error("it was answered")),
    () => undefined,
  );

const bothWays = [
  ["the replica dies", "crash"],
  ["the replica does not know", "fail"],
] as const;
const options = { timeout: 60_000 };

test.for(bothWays)(
  "a GET's claim is committed and %s: its key brings the same dispatch elsewhere",
  options,
  async ([, action]) => {
    await arm(`claim-committed=${action}#1`);
    const stage = await setStage(service);
    const { id } = await stage.create();
    const query = { executor: newName(), organization: stage.organization, claim_key: newName() };
    await loses(stage.clients[0].takeNextTask({ query }));
    const replay = await stage.clients[1].takeNextTask({ query });
    expect(replay?.task.id).toBe(id);
    expect(await stage.dispatchesOf(id)).toMatchObject([{ id: replay?.dispatch.id, attempt: 1, outcome: null }]);
  },
);

test.for(bothWays)(
  "a signal's claim is committed and %s: the next held set returns the task, and takes it",
  options,
  async ([, action]) => {
    await arm(`claim-committed=${action}#1`);
    const stage = await setStage(service);
    const { id } = await stage.create();
    const signal = (sequence: number): { body: CapacitySignal } => ({
      body: { executor, slots: 1, organization: stage.organization, holding: [], sequence },
    });
    const executor = newName();
    await loses(stage.clients[0].signalCapacity(signal(1)));
    const { dispatches } = await stage.clients[1].signalCapacity(signal(2));
    expect(dispatches.map(({ task, dispatch }) => [task.id, dispatch.attempt])).toEqual([[id, 2]]);
    expect(await stage.dispatchesOf(id)).toMatchObject([{ outcome: "lost" }, { outcome: null }]);
  },
);

test.for(bothWays)(
  "a signal is settled and %s before it claims: its end counts, and repeating it is no error",
  options,
  async ([, action]) => {
    await arm(`signal-committed=${action}#2`);
    const stage = await setStage(service);
    const [done, next] = [await stage.create(), await stage.create()];
    const common = { executor: newName(), slots: 1, organization: stage.organization };
    const first = await stage.clients[0].signalCapacity({ body: { ...common, holding: [], sequence: 1 } });
    const finished = first.dispatches.map(({ dispatch }) => dispatch.id);
    await loses(stage.clients[0].signalCapacity({ body: { ...common, holding: [], finished, sequence: 2 } }));
    const again = await stage.clients[1].signalCapacity({ body: { ...common, holding: [], finished, sequence: 3 } });
    expect(again.revoked).toEqual([]);
    expect(again.dispatches.map(({ task }) => task.id)).toEqual([next.id]);
    expect(await stage.dispatchesOf(done.id)).toMatchObject([{ outcome: "finished" }]);
  },
);

test.for(bothWays)("an end is committed and %s: repeating it succeeds", options, async ([, action]) => {
  await arm(`end-committed=${action}#1`);
  const stage = await setStage(service);
  const { id } = await stage.create();
  const query = { executor: newName(), organization: stage.organization };
  const params = { id: (await stage.clients[1].takeNextTask({ query }))?.dispatch.id ?? "" };
  await loses(stage.clients[0].releaseDispatch({ params }));
  expect(await stage.clients[1].releaseDispatch({ params })).toMatchObject({ outcome: "released" });
  expect((await stage.clients[1].takeNextTask({ query }))?.task.id).toBe(id);
  expect(await stage.dispatchesOf(id)).toHaveLength(2);
});

test.for(bothWays)(
  "a task is committed and %s: it is handed out, although nobody was told",
  options,
  async ([, action]) => {
    await arm(`create-committed=${action}#1`);
    const stage = await setStage(service);
    await loses(stage.create());
    const query = { executor: newName(), organization: stage.organization, wait_seconds: 5 };
    expect(await stage.clients[1].takeNextTask({ query })).not.toBeNull();
  },
);

test(
  "a sweep is committed and the replica dies: the other one has nothing left to sweep, and a waiting executor the task",
  options,
  async () => {
    await arm("sweep-committed=crash#1");
    const [armed, well] = service.replicas;
    const stage = await setStage(service);
    const { id } = await stage.create();
    const query = { organization: stage.organization, executor: newName(), lease_seconds: 10 };
    await stage.clients[0].takeNextTask({ query });
    // The armed one alone can sweep.
    await well?.stop();
    await armed?.ended();
    await well?.start();
    const next = await stage.clients[1].takeNextTask({ query: { ...query, wait_seconds: 10 } });
    expect([next?.task.id, next?.dispatch.attempt]).toEqual([id, 2]);
    await armed?.start();
    expect(await stage.dispatchesOf(id)).toMatchObject([{ outcome: "expired" }, { outcome: null }]);
  },
);

test(
  "a claim that is under way when its caller goes: the task is taken back, or another waiter has it",
  options,
  async () => {
    await arm("claim-committed=delay:600#1");
    const stage = await setStage(service);
    const { id } = await stage.create();
    const leaving = new AbortController();
    const filter = { organization: stage.organization, wait_seconds: 10 };
    const left = refusalOf(
      stage.clients[0].takeNextTask({ query: { ...filter, executor: newName() }, signal: leaving.signal }),
    );
    await vi.waitFor(async () => expect(await stage.dispatchesOf(id)).toHaveLength(1), { timeout: 500, interval: 10 });
    leaving.abort();
    await left;
    const next = await stage.clients[1].takeNextTask({ query: { ...filter, executor: newName() } });
    expect(next?.task.id).toBe(id);
    expect(await stage.dispatchesOf(id)).toMatchObject([{ outcome: "disconnected" }, { outcome: null }]);
  },
);
