// Makes what tests need, through the public API and real files on the git host: organizations with personas, tasks.
import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AgentTypeSummary, Handoff, NextQuery, Organization, Task, TaskCreate } from "@task-service/contract";
import { inject } from "vitest";
import type { TestApp } from "./test-app.ts";

const sections = ["Role", "Responsibilities", "Out of scope", "Workflow", "Output"];

/** A persona file without a fault. */
export const personaFile = (
  name: string,
  body = sections.map((section) => `## ${section}\n\nOf ${name}.\n`).join("\n"),
): string => `---\nname: ${name}\ndescription: Does what a ${name} does\n---\n${body}`;

const pathOf = (slug: string, path: string): string => join(inject("reposDir"), slug, `${slug}-agents`, path);

/** Puts a file into the agents repository of `slug`; undefined removes it. */
export const writeRepoFile = async (
  slug: string,
  path: string,
  content: string | Buffer | undefined,
): Promise<void> => {
  const file = pathOf(slug, path);
  if (content === undefined) return rm(file, { recursive: true });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
};

export const removeRepo = (slug: string): Promise<void> => rm(pathOf(slug, "."), { recursive: true, force: true });

/** A slug that no other test uses: all share one git host. */
export const newSlug = (): string => `org-${randomUUID().slice(0, 8)}`;

export interface Fleet {
  organization: Organization;
  /** By slug. */
  agentTypes: Record<string, AgentTypeSummary>;
}

/** An organization whose personas were synchronized from its repository. */
export const createFleet = async (
  app: TestApp,
  personas: readonly string[] = ["developer", "reviewer"],
): Promise<Fleet> => {
  const slug = newSlug();
  await Promise.all(personas.map((persona) => writeRepoFile(slug, `personas/${persona}.md`, personaFile(persona))));
  await app.client.createOrganization({ body: { slug } });
  await app.client.syncOrganization({ params: { organization: slug } });
  const { items } = await app.client.listAgentTypes({ query: { organization: slug } });
  return {
    organization: await app.client.getOrganization({ params: { organization: slug } }),
    agentTypes: Object.fromEntries(items.map((agentType) => [agentType.slug, agentType])),
  };
};

/** A queued task for the fleet's first agent type, unless `task` says otherwise. */
export const createTask = (app: TestApp, { agentTypes }: Fleet, task: Partial<TaskCreate> = {}): Promise<Task> => {
  const [first] = Object.values(agentTypes);
  return app.client.createTask({
    body: { prompt: "Do the work", assignee_type: "agent", assignee: first?.id ?? null, ...task },
  });
};

/** `count` tasks for the fleet's first agent type, in the order of the queue, each as `task` says of its number. */
export const createTasks = async (
  app: TestApp,
  { agentTypes }: Fleet,
  count: number,
  task: (index: number) => Partial<TaskCreate> = () => ({}),
): Promise<Task[]> => {
  const [first] = Object.values(agentTypes);
  const base = { prompt: "Do the work", assignee_type: "agent", assignee: first?.id ?? null } as const;
  const tasks = Array.from({ length: count }, (_, index) => ({ ...base, ...task(index) }));
  return (await app.client.createTasks({ body: { tasks } })).items;
};

/** Takes the fleet's next task, which must be there. */
export const takeTask = async (app: TestApp, fleet: Fleet, query: Partial<NextQuery> = {}): Promise<Handoff> => {
  const filter = { executor: "test-1", organization: fleet.organization.slug };
  const handoff = await app.client.takeNextTask({ query: { ...filter, ...query } });
  if (!handoff) throw new Error("nothing was handed over");
  return handoff;
};

/** A task that was just handed over, alone in a fleet of its own. */
export const createHandoff = async (
  app: TestApp,
  query: Partial<NextQuery> = {},
): Promise<Handoff & { fleet: Fleet }> => {
  const fleet = await createFleet(app);
  await createTask(app, fleet);
  return { ...(await takeTask(app, fleet, query)), fleet };
};
