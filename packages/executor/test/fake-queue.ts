// The queue of the fake service: hand-overs by capacity signal with claim keys and held sets, ends, and lost dispatches.
import { randomUUID } from "node:crypto";
import type { CapacityAnswer, CapacitySignal, Handoff, ProblemCode, TaskPatch } from "@task-service/contract";
import { handoffOf } from "./handoff-factory.ts";

type Held = Handoff & { claimKey: string | undefined; sequence: number; end?: string };

export const createFakeQueue = (leaseSeconds: number | null) => {
  const queue: Handoff["task"][] = [];
  const dispatches = new Map<string, Held>();
  const attempts = new Map<string, number>();
  let newest = 0;
  /** Called when something is offered, a signal comes, or dispatches end. */
  let waiting: (() => void) | undefined;

  const wake = (): void => waiting?.();

  const end = (id: string, outcome: string): Handoff | ProblemCode => {
    const handoff = dispatches.get(id);
    if (!handoff) return "not_found";
    if (handoff.end && handoff.end !== outcome) return "stale_dispatch";
    if (!handoff.end && outcome !== "finished") queue.unshift(handoff.task);
    handoff.end ??= outcome;
    wake();
    return handoff;
  };

  const claim = ({ slots, claim_key, executor, sequence = 0 }: CapacitySignal): Handoff[] =>
    queue.splice(0, slots).map((task) => {
      const attempt = (attempts.get(task.id) ?? 0) + 1;
      attempts.set(task.id, attempt);
      const handoff = handoffOf(task, { attempt, lease_seconds: leaseSeconds, executor });
      dispatches.set(handoff.dispatch.id, { ...handoff, claimKey: claim_key, sequence });
      return handoff;
    });

  /** Rejected ids of `finished` and `holding`, after both were settled. */
  const settle = ({ finished = [], holding = [], claim_key, sequence = 0 }: CapacitySignal): string[] => {
    const known = new Set([...finished, ...holding]);
    for (const [id, one] of dispatches) {
      if (!one.end && !known.has(id) && one.claimKey !== claim_key && one.sequence < sequence) end(id, "lost");
    }
    const revoked = finished.filter((id) => typeof end(id, "finished") === "string");
    return [...revoked, ...holding.filter((id) => dispatches.get(id)?.end !== undefined)];
  };

  const signal = async (body: CapacitySignal): Promise<CapacityAnswer | ProblemCode> => {
    const { slots, claim_key, sequence = 0, wait_seconds = 0, holding = [] } = body;
    if (sequence <= newest) return "stale_signal";
    newest = sequence;
    wake();
    let revoked = settle(body);
    const bound = [...dispatches.values()].filter((one) => one.claimKey === claim_key);
    if (bound.length > 0) {
      const live = bound.filter((one) => !one.end);
      return live.length > 0 ? { dispatches: live, revoked } : "claim_key_spent";
    }
    const deadline = performance.now() + wait_seconds * 1_000;
    while (slots > 0 && queue.length === 0 && revoked.length === 0 && newest === sequence) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) break;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting = resolve;
      const timer = setTimeout(resolve, leftMs);
      await promise;
      clearTimeout(timer);
      revoked = holding.filter((id) => dispatches.get(id)?.end !== undefined);
    }
    return { dispatches: newest === sequence ? claim(body) : [], revoked };
  };

  const patch = ({ dispatch_id = "", ...fields }: TaskPatch, version: string | undefined): object | ProblemCode => {
    const handoff = dispatches.get(dispatch_id);
    if (!handoff || handoff.end) return "stale_dispatch";
    const { task } = handoff;
    if (version !== undefined && version !== `"${task.version}"`) return "precondition_failed";
    return Object.assign(task, fields, { version: task.version + 1 });
  };

  return {
    dispatches,
    signal,
    end,
    patch,
    taskOf: (id: string) => [...dispatches.values()].findLast(({ task }) => task.id === id)?.task,
    offer: (...tasks: Partial<Handoff["task"]>[]) => {
      for (const task of tasks) queue.push({ ...handoffOf().task, id: randomUUID(), ...task });
      wake();
    },
    /** As a lease that ran out; the tasks are gone, so nobody takes them again. */
    takeAwayAll: () => {
      for (const dispatch of dispatches.values()) dispatch.end ??= "expired";
      wake();
    },
  };
};
