// Named scenarios of handing over, on two replicas: who gets what when requests are repeated, overtaken, cut or forgotten.
import { setTimeout as delay } from "node:timers/promises";
import type { CapacitySignal } from "@task-service/contract";
import { startEntryPoint } from "@task-service/dev/entry-point.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Service, startService } from "./replicas.ts";
import { cutNotifications, newName, refusalOf, setStage } from "./scenario-stage.ts";

let service: Service;

beforeAll(async () => {
  service = await startService({ replicas: 2, isTest: true });
}, 60_000);
afterAll(() => service.stop(), 60_000);

describe.concurrent("handing over", { timeout: 60_000 }, () => {
  test.for([
    ["the same replica", 0],
    ["another replica", 1],
  ] as const)(
    "two signals of one executor, the newer at %s: the older answers empty, the newer gets the task",
    async ([, newerAt]) => {
      const stage = await setStage(service);
      const signal = { executor: newName(), slots: 1, wait_seconds: 30, organization: stage.organization };
      const older = stage.clients[0].signalCapacity({ body: { ...signal, sequence: 1 } });
      await stage.untilWaiting(signal.executor);
      const begunMs = performance.now();
      const newer = stage.clients[newerAt].signalCapacity({ body: { ...signal, sequence: 2 } });
      expect(await older).toEqual({ dispatches: [], revoked: [] });
      expect(performance.now() - begunMs).toBeLessThan(3000);

      const task = await stage.create();
      const { dispatches } = await newer;
      expect(dispatches.map((handoff) => handoff.task.id)).toEqual([task.id]);
      expect(await stage.dispatchesOf(task.id)).toHaveLength(1);
    },
  );

  test.for([
    ["with sequence", true],
    ["without", false],
  ] as const)(
    "a claim key repeated with its held set after 12 s, %s: the same dispatches, nothing is lost",
    async ([, hasSequence]) => {
      const stage = await setStage(service);
      const tasks = [await stage.create(), await stage.create()];
      const signalAt = (replica: 0 | 1, sequence: number) => {
        const body: CapacitySignal = {
          executor: name,
          slots: 2,
          organization: stage.organization,
          claim_key: `${name}-key`,
          holding: [],
          ...(hasSequence && { sequence }),
        };
        return stage.clients[replica].signalCapacity({ body });
      };
      const name = newName();
      const lost = await signalAt(0, 1);
      await delay(12_000);
      const repeated = await signalAt(1, 2);
      expect(repeated.dispatches.map(({ dispatch }) => dispatch.id)).toEqual(
        lost.dispatches.map(({ dispatch }) => dispatch.id),
      );
      expect(repeated.dispatches.map(({ task }) => task.id)).toEqual(tasks.map(({ id }) => id));
      expect(repeated.revoked).toEqual([]);
      for (const { id } of tasks) expect(await stage.dispatchesOf(id)).toMatchObject([{ attempt: 1, outcome: null }]);
    },
  );

  test("a GET repeated by a proxy while the first is parked, on two replicas: both get the same dispatch", async () => {
    const stage = await setStage(service);
    for (let round = 0; round < 8; round += 1) {
      const name = newName();
      const query = {
        executor: name,
        claim_key: `${name}-key`,
        wait_seconds: 20,
        organization: stage.organization,
      };
      const first = stage.clients[0].takeNextTask({ query });
      await stage.untilWaiting(name);
      const second = stage.clients[1].takeNextTask({ query });
      // In turns before and after the second has arrived, and with its replica hearing of the task or not.
      if (round % 2 === 1) await stage.clients[1].getMe();
      if (round % 4 > 1) await cutNotifications(service);
      const task = await stage.create();
      const [one, other] = await Promise.all([first, second]);
      expect(one?.task.id).toBe(task.id);
      expect(other?.dispatch.id).toBe(one?.dispatch.id);
      expect(await stage.dispatchesOf(task.id)).toHaveLength(1);
    }
  });

  test("a release loop ends: after five in a row the task waits for a person, and goes on when it is requeued", async () => {
    const stage = await setStage(service);
    const { id } = await stage.create();
    const query = { executor: newName(), organization: stage.organization };
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const handoff = await stage.clients[attempt % 2 ? 0 : 1].takeNextTask({ query });
      expect(handoff?.dispatch.attempt).toBe(attempt);
      const params = { id: handoff?.dispatch.id ?? "" };
      await stage.clients[0].releaseDispatch({ params, body: { reason: "Not today" } });
    }
    expect(await stage.clients[0].takeNextTask({ query })).toBeNull();
    expect(await stage.clients[0].getTask({ params: { id } })).toMatchObject({
      state: "dispatched",
      needs_attention: true,
    });
    await stage.clients[1].requeueTask({ params: { id } });
    expect((await stage.clients[0].takeNextTask({ query }))?.dispatch.attempt).toBe(6);
  });

  test("a lease of 10 s under a poll of 50 s: the waiting signal renews what it holds", async () => {
    const stage = await setStage(service);
    await stage.create();
    const signal = { executor: newName(), slots: 2, organization: stage.organization, lease_seconds: 10 };
    const [held] = (await stage.clients[0].signalCapacity({ body: { ...signal, holding: [], sequence: 1 } }))
      .dispatches;
    const holding = [held?.dispatch.id ?? ""];
    const waiting = stage.clients[1].signalCapacity({ body: { ...signal, holding, sequence: 2, wait_seconds: 50 } });
    // The lease, the 5 s in which it would be swept, and some.
    await delay(17_000);
    expect(await stage.dispatchesOf(held?.task.id ?? "")).toMatchObject([{ attempt: 1, outcome: null }]);
    const next = await stage.create();
    expect((await waiting).dispatches.map(({ task }) => task.id)).toEqual([next.id]);
  });

  test("a poll cut through the entry point is gone within a second and never takes a task", async () => {
    const stage = await setStage(service);
    const [apiUrl = "", uiUrl = ""] = service.replicas.map(({ origin }) => origin);
    const door = await startEntryPoint({ host: "127.0.0.1", port: 0, apiUrl, uiUrl });
    try {
      const [leaver, stayer] = [newName(), newName()];
      const poll = { wait_seconds: 40, organization: stage.organization };
      const leaving = new AbortController();
      const cut = refusalOf(
        service
          .clientAt(`http://127.0.0.1:${door.port}`)
          .takeNextTask({ query: { ...poll, executor: leaver }, signal: leaving.signal }),
      );
      await stage.untilWaiting(leaver);
      const stays = stage.clients[0].takeNextTask({ query: { ...poll, executor: stayer } });
      await stage.untilWaiting(stayer);
      leaving.abort();
      await cut;
      await delay(1000);
      const task = await stage.create();
      expect((await stays)?.task.id).toBe(task.id);
      expect(await stage.dispatchesOf(task.id)).toMatchObject([{ executor: stayer, attempt: 1 }]);
    } finally {
      await door.stop();
    }
  });

  test("an executor killed and restarted under its name frees what the dead one held, at its place", async () => {
    const stage = await setStage(service);
    const tasks = [await stage.create({ priority: 5 }), await stage.create({ priority: 5 })];
    const signal = { executor: newName(), slots: 2, organization: stage.organization, holding: [] };
    const dead = await stage.clients[0].signalCapacity({ body: { ...signal, sequence: Date.now() } });
    expect(dead.dispatches).toHaveLength(2);
    await stage.create({ priority: 4 });
    const born = await stage.clients[1].signalCapacity({ body: { ...signal, sequence: Date.now() + 1 } });
    expect(born.dispatches.map(({ task, dispatch }) => [task.id, dispatch.attempt])).toEqual(
      tasks.map(({ id }) => [id, 2]),
    );
    for (const { dispatch } of dead.dispatches) {
      expect(await stage.clients[0].getDispatch({ params: { id: dispatch.id } })).toMatchObject({ outcome: "lost" });
      const late = stage.clients[0].finishDispatch({ params: { id: dispatch.id } });
      expect(await refusalOf(late)).toBe("stale_dispatch");
    }
  });
});
