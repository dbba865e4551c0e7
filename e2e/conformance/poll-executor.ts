// An executor that takes its tasks by GET: a claim key for each hand-over, a lease, one poll for each free slot (D-20, D-22).
import { randomUUID } from "node:crypto";
import { attempt } from "./attempt.ts";
import { type Life, receive, reportEnd, work } from "./worker-model.ts";

/** Resolves when the process is over. */
export const pollTasks = async (life: Life): Promise<void> => {
  await Promise.all(Array.from({ length: life.slots }, () => pollInTurn(life)));
};

const pollInTurn = async (life: Life): Promise<void> => {
  const { client, name, agentTypes, leaseSeconds, waitSeconds } = life;
  const filter = {
    executor: name,
    wait_seconds: waitSeconds,
    ...(agentTypes && { agent_type: [...agentTypes] }),
    ...(leaseSeconds && { lease_seconds: leaseSeconds }),
  };
  let claimKey = randomUUID();
  while (!life.over.aborted) {
    const sentMs = Date.now();
    const outcome = await attempt(life, ["claim_key_spent"], (signal) =>
      client.takeNextTask({ query: { ...filter, claim_key: claimKey }, signal }),
    );
    // Who does not know whether something was handed over asks again with the same key.
    if (outcome.kind === "unknown" || life.over.aborted) continue;
    claimKey = randomUUID();
    if (outcome.kind === "refused" || outcome.answer === null) continue;
    receive(life, outcome.answer, sentMs);
    const end = await work(life);
    if (end) await reportEnd(life, outcome.answer.dispatch.id, end);
  }
};
