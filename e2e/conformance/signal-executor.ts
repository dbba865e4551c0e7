// An executor that signals capacity: several slots, its whole held set each time, one claim key until it has brought something (D-19, D-22, D-23).
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { CapacityAnswer } from "@task-service/contract";
import { attempt } from "./attempt.ts";
import { between } from "./seeded-random.ts";
import { type Life, receive, reportEnd, work } from "./worker-model.ts";

/** Resolves when the process is over. */
export const signalCapacity = async (life: Life): Promise<void> => {
  const { client, name, log, slots, agentTypes, leaseSeconds, waitSeconds, usesClaimKeys, over, random } = life;
  /** Dispatches whose workers run, or whose end is being told by a request of its own. */
  const holding = new Set<string>();
  /** Whose workers have ended: told with the next signal. */
  const finished = new Set<string>();
  /** Two answers may bring the same dispatch: a signal that overtakes another repeats its claim key. */
  const seen = new Set<string>();
  let claimKey = randomUUID();
  let sequence = 0;
  let onChange = (): void => undefined;

  const run = async (dispatchId: string): Promise<void> => {
    const end = await work(life);
    if (end === undefined || !holding.has(dispatchId)) return;
    if (end === "finished" && random() < 0.5) finished.add(dispatchId);
    else await reportEnd(life, dispatchId, end);
    holding.delete(dispatchId);
    onChange();
  };

  const take = ({ dispatches, revoked }: CapacityAnswer, sentMs: number): void => {
    for (const id of revoked) holding.delete(id);
    for (const handoff of dispatches.filter(({ dispatch }) => !seen.has(dispatch.id))) {
      seen.add(handoff.dispatch.id);
      holding.add(handoff.dispatch.id);
      receive(life, handoff, sentMs);
      void run(handoff.dispatch.id);
    }
  };

  const signalOnce = async (): Promise<void> => {
    const sentMs = Date.now();
    sequence = Math.max(sequence + 1, sentMs);
    const key = claimKey;
    const sent = { sequence, holding: [...holding], finished: [...finished] };
    const body = {
      executor: name,
      slots: slots - holding.size,
      wait_seconds: waitSeconds,
      ...(agentTypes && { agent_types: [...agentTypes] }),
      ...(leaseSeconds && { lease_seconds: leaseSeconds }),
      ...(usesClaimKeys && { claim_key: key }),
      ...sent,
    };
    const outcome = await attempt(life, ["claim_key_spent", "stale_signal"], (signal) =>
      client.signalCapacity({ body, signal }),
    );
    if (outcome.kind === "unknown" || over.aborted) return;
    if (outcome.kind === "refused") {
      if (outcome.code === "claim_key_spent" && claimKey === key) claimKey = randomUUID();
      if (outcome.code === "stale_signal" && sequence === sent.sequence)
        log.surprises.push("409 stale_signal for the newest signal");
      return;
    }
    const { dispatches, revoked } = outcome.answer;
    if (dispatches.length > 0 && claimKey === key) claimKey = randomUUID();
    for (const id of sent.finished) {
      finished.delete(id);
      if (!revoked.includes(id)) log.ends.push({ dispatch_id: id, outcome: "finished" });
    }
    take(outcome.answer, sentMs);
  };

  const untilChange = (): Promise<void> =>
    new Promise((resolve) => {
      onChange = resolve;
    });

  over.addEventListener("abort", () => onChange());
  while (!over.aborted) {
    const changed = untilChange();
    const hasNews = holding.size < slots || finished.size > 0;
    // A worker that ends while a signal waits is told at once, with a signal that overtakes the waiting one. Without
    // a claim key the held set would then declare lost what is on its way with the older answer.
    const soon = usesClaimKeys ? changed.then(() => delay(between(random, 5, 30))) : new Promise(() => {});
    await (hasNews ? Promise.race([signalOnce(), soon]) : changed);
  }
};
