// Any history (D-34): deliveries in any order, reads, deletions and spells in which nothing can be read, in between; the host is right in the end.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { issueAt, type MirroredApp, startMirroredApp } from "../../test/mirrored-task.ts";
import type { ScriptedIssue, ScriptedRepository } from "../../test/scripted-issues.ts";
import { deliverIssue } from "../../test/signed-delivery.ts";

let mirrored: MirroredApp;
beforeAll(async () => {
  mirrored = await startMirroredApp();
});
afterAll(() => mirrored.close());

const change = fc.record({
  state: fc.constantFrom("open", "closed") as fc.Arbitrary<"open" | "closed">,
  title: fc.constantFrom("One", "Other"),
  labels: fc.subarray(["bug", "later"]),
  pause: fc.integer({ min: 0, max: 2 }),
});

const statesOf = (changes: readonly { pause: number; state: "open" | "closed"; title: string; labels: string[] }[]) => {
  let second = 0;
  return changes.map(({ pause, ...fields }) => {
    second += pause;
    return issueAt(1, second, fields);
  });
};

const shownOf = ({ state, title, labels = [] }: ScriptedIssue) => ({ state, title, labels });

const read = ({ full_name }: ScriptedRepository): void => {
  const [owner = "", repo = ""] = full_name.split("/");
  mirrored.app.mirror.linked([{ owner, repo, number: 1 }]);
};

test("any order and repetition of deliveries ends in the newest state, once the host can be asked where seconds are shared", async () => {
  const history = fc.array(change, { minLength: 1, maxLength: 6 });
  const orders = fc.array(fc.nat(), { minLength: 0, maxLength: 12 });
  mirrored.issues.now = "2026-08-05T00:00:00.000Z";
  await fc.assert(
    fc.asyncProperty(history, orders, fc.boolean(), async (changes, order, isKnownBefore) => {
      const states = statesOf(changes);
      const newest = states.at(-1) ?? issueAt(1, 0);
      const repository = mirrored.addRepository([newest]);
      mirrored.issues.refuse = () => (isKnownBefore ? undefined : 500);
      const task = await mirrored.link(repository, 1);
      await mirrored.app.mirror.idle();
      const all = [...order.map((index) => states[index % states.length] ?? newest), ...states.toReversed()];
      for (const state of all) await deliverIssue(mirrored.app, repository, state);
      await mirrored.app.mirror.idle();
      const isTold = states.filter(({ updated_at }) => updated_at === newest.updated_at).length === 1;
      if (isTold || isKnownBefore) expect(await mirrored.shown(task)).toMatchObject(shownOf(newest));
      mirrored.issues.refuse = () => undefined;
      await mirrored.app.mirror.look();
      expect(await mirrored.shown(task)).toMatchObject(shownOf(newest));
      await mirrored.app.client.deleteTask({ params: { id: task.id }, headers: {} });
    }),
    { numRuns: 40 },
  );
}, 60_000);

/** What the host answers for lists, and for single issues. */
const spells = {
  well: [undefined, undefined],
  failing: [500, 500],
  "issues failing": [undefined, 500],
  "lists failing": [500, undefined],
  hidden: [404, 404],
} as const;
type Spell = keyof typeof spells;

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("change" as const), isTold: fc.boolean(), change }) },
  // One that was told before, or got lost then.
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("deliver" as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), isTold: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ kind: "read" as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: "look" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "wait" as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("spell" as const),
      // 403 and 404 are of the whole repository: what is refused by itself is gone, or noticed after hours.
      spell: fc.constantFrom<Spell>("well", "failing", "issues failing", "lists failing", "hidden"),
    }),
  },
);

test("whatever happened, one look at a host that is well shows what it has", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const { mirror } = mirrored.app;
      const repository = mirrored.addRepository([issueAt(1, 0)]);
      const told = [issueAt(1, 0)];
      let second = 0;
      const setSpell = (spell: Spell) => {
        mirrored.issues.refuse = (path) => spells[spell][/issues\/\d+$/.test(path) ? 1 : 0];
      };
      // The host's clock is that of its issues: a list since the last look tells of what changed after it.
      const setClock = () => {
        mirrored.issues.now = new Date(Date.UTC(2026, 7, 4, 12, 0, second)).toISOString();
      };
      setSpell("well");
      setClock();
      const task = await mirrored.link(repository, 1);
      const send = (issue: ScriptedIssue, action?: string) => deliverIssue(mirrored.app, repository, issue, action);
      for (const one of steps) {
        // Longer than looks overlap, so that none repairs what an earlier one had to.
        second += 100;
        setClock();
        const [current] = repository.issues;
        if (one.kind === "spell") setSpell(one.spell);
        else if (one.kind === "wait") await mirror.idle();
        else if (one.kind === "read") read(repository);
        else if (one.kind === "look") await mirror.look();
        else if (one.kind === "deliver") await send(told[one.which % told.length] ?? issueAt(1, 0));
        else if (one.kind === "change" && current) {
          const { pause: _pause, ...fields } = one.change;
          const next = issueAt(1, second, fields);
          repository.issues = [next];
          told.push(next);
          if (one.isTold) await send(next);
        } else if (one.kind === "delete" && current && one.isTold) {
          repository.issues = [];
          await send(current, "deleted");
        }
      }
      await mirror.idle();
      setSpell("well");
      second += 100;
      setClock();
      await mirror.look();
      const [truth] = repository.issues;
      const expected = truth ? shownOf(truth) : { state: "unreadable" };
      expect(await mirrored.shown(task)).toMatchObject(expected);
      expect(await mirrored.app.sql`select from mirror_questions`).toHaveLength(0);
      await mirrored.app.client.deleteTask({ params: { id: task.id }, headers: {} });
    }),
    { numRuns: 100 },
  );
}, 120_000);
