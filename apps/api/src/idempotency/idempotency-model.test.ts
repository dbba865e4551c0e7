// Idempotency-Key against its model (D-17): random requests, several at a time on two replicas, with deletions in between.
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFleet, type Fleet } from "../../test/factories.ts";
import { type KeyedAnswer, postKeyed } from "../../test/keyed-requests.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";

let app: TestApp;
let beside: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  beside = await startTestApp({ beside: app });
  fleet = await createFleet(app);
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await beside.close();
  await app.close();
});

/** The last content cannot be created. */
const contents = 3;

interface Request {
  isBeside: boolean;
  key: number;
  content: number;
}

interface Bound {
  content: number;
  id: string;
  isDeleted: boolean;
}

type Outcome = "created" | "replayed" | NonNullable<KeyedAnswer["body"]["code"]>;

const outcomeOf = ({ status, isReplayed, body }: KeyedAnswer): Outcome => {
  if (status !== 201) return body.code ?? "internal_error";
  return isReplayed ? "replayed" : "created";
};

const send = (run: string, { isBeside, key, content }: Request): Promise<KeyedAnswer> => {
  const assignee = content === contents - 1 ? "nobody/nothing" : fleet.agentTypes.developer?.id;
  return postKeyed(
    isBeside ? beside : app,
    "/tasks",
    { prompt: `${content}`, title: run, assignee_type: "agent", assignee },
    `${run}-${key}`,
  );
};

/** What each of the requests with one key must have come to, given what the key was bound to before. */
const expectOutcomes = (
  requests: readonly Request[],
  answers: readonly KeyedAnswer[],
  before?: Bound,
): Bound | undefined => {
  const outcomes = answers.map(outcomeOf);
  const creator = outcomes.indexOf("created");
  const bound = before ?? { content: requests[creator]?.content, id: answers[creator]?.body.id, isDeleted: false };
  for (const [index, { content }] of requests.entries()) {
    if (index === creator) continue;
    const isSame = content === bound.content;
    const allowed: Outcome[] = isSame ? [bound.isDeleted ? "conflict" : "replayed"] : ["idempotency_key_reused"];
    // What cannot be created may have been told so before the key was bound.
    if (content === contents - 1 && !before) allowed.push("unknown_assignee");
    expect(allowed).toContain(outcomes[index]);
    if (outcomes[index] === "replayed") expect(answers[index]?.body.id).toBe(bound.id);
  }
  const isCreated = requests.some(({ content }) => content !== contents - 1) && !before;
  expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(isCreated ? 1 : 0);
  return before ?? (isCreated ? (bound as Bound) : undefined);
};

const request = fc.record({ isBeside: fc.boolean(), key: fc.nat(2), content: fc.nat(contents - 1) });
const round = fc.record({ requests: fc.array(request, { minLength: 1, maxLength: 8 }), removed: fc.option(fc.nat(2)) });

test("a key creates once, is replayed to the same request, and refused to every other", {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (rounds) => {
      const run = randomUUID();
      const known = new Map<number, Bound>();
      for (const { requests, removed } of rounds) {
        const answers = await Promise.all(requests.map((one) => send(run, one)));
        for (const key of new Set(requests.map((one) => one.key))) {
          const indexes = requests.flatMap((one, index) => (one.key === key ? [index] : []));
          const bound = expectOutcomes(
            indexes.flatMap((index) => requests[index] ?? []),
            indexes.flatMap((index) => answers[index] ?? []),
            known.get(key),
          );
          if (bound) known.set(key, bound);
        }
        const doomed = removed === null ? undefined : known.get(removed);
        if (!doomed || doomed.isDeleted) continue;
        await app.client.deleteTask({ params: { id: doomed.id } });
        doomed.isDeleted = true;
      }
      const alive = await app.sql`select from tasks where title = ${run}`;
      expect(alive).toHaveLength(
        known
          .values()
          .filter(({ isDeleted }) => !isDeleted)
          .toArray().length,
      );
    }),
    { numRuns: 40 },
  );
});
