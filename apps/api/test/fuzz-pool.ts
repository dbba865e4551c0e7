// What a fuzz run knows by name: things that exist, filled up as it goes, so that requests mean something.
import type { Problem } from "@task-service/contract";
import fc from "fast-check";
import { inject } from "vitest";
import type { Route } from "./answer-check.ts";
import { nobody } from "./declared-answers.ts";
import { createFleet, createTasks, newSlug, takeTask } from "./factories.ts";
import type { Meaning } from "./schema-arbitraries.ts";
import type { TestApp } from "./test-app.ts";

const kinds = ["tasks", "dispatches", "organizations", "agent-types", "notes", "cursors", "events"] as const;
type Kind = (typeof kinds)[number];
const remembered = 60;

export interface FuzzPool {
  /** Adds organizations, agent types, tasks and live dispatches. */
  fill(): Promise<void>;
  /** Remembers what an answer names. */
  learn(route: Route, answer: unknown): void;
  meaningOf(route: Route): Meaning;
}

interface Named {
  id?: string;
  slug?: string;
  next_cursor?: string | null;
  items?: (Named & Partial<Problem>)[];
}

export const createPool = (app: TestApp): FuzzPool => {
  const known: Record<Kind, string[]> = {
    tasks: [],
    dispatches: [],
    organizations: [],
    "agent-types": [],
    notes: [],
    cursors: [],
    events: [],
  };
  const add = (kind: Kind, name: string | undefined): void => {
    if (name === undefined) return;
    known[kind].push(name);
    if (known[kind].length > remembered) known[kind].shift();
  };

  const one = (kind: Kind): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 8, arbitrary: fc.nat().map((n) => known[kind].at(n % Math.max(known[kind].length, 1)) ?? nobody) },
      { weight: 1, arbitrary: fc.constant(nobody) },
    );
  const some = (kind: Kind) => fc.uniqueArray(one(kind), { minLength: 1, maxLength: 4 });

  const byName: Record<string, fc.Arbitrary<unknown>> = {
    assignee: fc.oneof({ weight: 5, arbitrary: one("agent-types") }, fc.constantFrom("Ada", "acme/nobody")),
    agent_type: some("agent-types"),
    agent_types: some("agent-types"),
    parent_id: one("tasks"),
    root_id: one("tasks"),
    task: one("tasks"),
    ids: some("tasks"),
    note: one("notes"),
    dispatch_id: one("dispatches"),
    holding: some("dispatches"),
    finished: some("dispatches"),
    cursor: one("cursors"),
    after: one("events"),
    "Last-Event-ID": one("events"),
    "If-Match": fc.constantFrom('"1"', '"2"', "*", 'W/"1"', "7"),
    executor: fc.constantFrom("fuzz-1", "fuzz-2"),
    // Nothing here has time to wait.
    wait_seconds: fc.constantFrom(0, 0, 0, 51, -1),
    slug: fc.nat().map(newSlug),
    agents_repo_url: fc.constantFrom(null, `${inject("gitUrl")}/team/personas`, "https://elsewhere.example/a/b"),
    git_link: fc.constantFrom(null, `${inject("gitUrl")}/acme/web-shop/issues/412`, `${inject("gitUrl")}/acme`),
  };

  return {
    fill: async () => {
      const fleet = await createFleet(app);
      add("organizations", fleet.organization.slug);
      for (const { id } of Object.values(fleet.agentTypes)) add("agent-types", id);
      for (const { id } of await createTasks(app, fleet, 6)) add("tasks", id);
      for (const executor of ["fuzz-1", "fuzz-2"])
        add("dispatches", (await takeTask(app, fleet, { executor })).dispatch.id);
    },
    learn: ({ path }, answer) => {
      const { next_cursor, items = [answer] } = (answer ?? {}) as Named;
      if (next_cursor) add("cursors", next_cursor);
      const kind = kinds.find((one) => path.split("/").findLast((part) => !part.startsWith("{")) === one);
      if (kind) for (const { id } of items as Named[]) add(kind, id);
    },
    meaningOf: ({ path }) => {
      const [, collection] = path.split("/");
      const own = kinds.find((one) => one === collection);
      const meanings: typeof byName = {
        ...byName,
        ...(own && { id: one(own) }),
        organization: path === "/tasks" || path === "/tasks/count" ? some("organizations") : one("organizations"),
      };
      return (name) => meanings[name];
    },
  };
};
