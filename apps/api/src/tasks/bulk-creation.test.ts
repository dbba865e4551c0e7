// POST /tasks/bulk (D-17): all in order or none, and every fault named by its place.
import type { TaskCreate } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFleet, createTask, type Fleet, newSlug, writeRepoFile } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";
import { writeMove } from "./count-queries.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app, ["developer", "reviewer", "retired"]);
  const { slug } = fleet.organization;
  await writeRepoFile(slug, "personas/retired.md", undefined);
  await app.client.syncOrganization({ params: { organization: slug } });
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const idOf = (slug: string) => fleet.agentTypes[slug]?.id ?? "";
const plain = (task: Partial<TaskCreate> = {}): TaskCreate => ({
  prompt: "Do the work",
  assignee_type: "agent",
  assignee: idOf("developer"),
  ...task,
});
const bulk = (tasks: TaskCreate[]) => app.client.createTasks({ body: { tasks } });
const many = (count: number, task: (index: number) => TaskCreate): TaskCreate[] =>
  Array.from({ length: count }, (_, n) => task(n));
const countTasks = async (): Promise<number | undefined> =>
  (await app.sql<{ count: number }[]>`select count(*) from tasks`)[0]?.count;

describe("POST /tasks/bulk", () => {
  test("answers 500 tasks in the order given, which is their order in the queue too", async () => {
    const assignments: Partial<TaskCreate>[] = [
      { assignee: idOf("developer") },
      { assignee: `${fleet.organization.slug}/reviewer` },
      { assignee_type: "user", assignee: "Ada", organization: fleet.organization.slug },
      { assignee_type: null, assignee: null, organization: fleet.organization.id },
    ];
    const wanted = many(500, (n) => plain({ title: `${n}`, ...assignments[(n * 7 + (n % 3)) % 4] }));
    const { items } = await bulk(wanted);
    expect(items.map(({ title }) => title)).toEqual(wanted.map(({ title }) => title));
    expect(items.map(({ assignee_type }) => assignee_type)).toEqual(wanted.map(({ assignee_type }) => assignee_type));
    expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted());

    const ids = items.map(({ id }) => id);
    const inQueue = await app.sql<{ id: string }[]>`
      select id from tasks where id = any(${ids}) and queue_seq is not null order by queue_seq
    `;
    expect(inQueue.map(({ id }) => id)).toEqual(items.filter(({ agent_type }) => agent_type).map(({ id }) => id));
    const id = ids[321] ?? "";
    expect(await app.client.getTask({ params: { id } })).toEqual(items[321]);
    expect((await app.client.listTaskEvents({ params: { id } })).items).toMatchObject([{ type: "task.created" }]);
  });

  test("is 201 with the tasks, each a root or the follow-up of one that was there before", async () => {
    const parent = await createTask(app, fleet);
    const response = await app.request("/tasks/bulk", {
      method: "POST",
      body: JSON.stringify({ tasks: [plain(), plain({ parent_id: parent.id })] }),
    });
    expect(response.status).toBe(201);
    const { items } = (await response.json()) as { items: { id: string }[] };
    expect(items).toMatchObject([
      { depth: 0, root_id: items[0]?.id, version: 1 },
      { depth: 1, root_id: parent.id, parent_id: parent.id },
    ]);
  });

  test("takes large prompts as long as the body is within 16 MiB", async () => {
    const { items } = await bulk(many(60, () => plain({ prompt: "x".repeat(262_144) })));
    expect(items).toHaveLength(60);
    const tooMuch = many(65, () => plain({ prompt: "x".repeat(262_144) }));
    await expect(bulk(tooMuch)).rejects.toMatchObject({ code: "payload_too_large" });
  });

  test("whose parent is deleted at this very moment is refused whole", async () => {
    const parent = await createTask(app, fleet);
    const before = await countTasks();
    const late = await app.sql.begin(async (transaction) => {
      await transaction`delete from ready where task_id = ${parent.id}`;
      await transaction`delete from tasks where id = ${parent.id}`;
      await writeMove(transaction, parent);
      const call = bulk([plain(), plain({ parent_id: parent.id })]).catch((error: unknown) => error);
      await untilBlocked(app);
      return { call };
    });
    expect(await late.call).toMatchObject(refusal("invalid_request", "/tasks/1/parent_id"));
    expect(await countTasks()).toBe((before ?? 0) - 1);
  });
});

describe("a bulk with faults creates nothing and names", () => {
  const nobodysId = "00000000-0000-7000-8000-000000000000";
  const unknown = { assignee: nobodysId };
  const retired = () => ({ assignee: idOf("retired") });
  const foreign = { git_link: "https://elsewhere.example/a/b/issues/1" };

  test.each<[string, () => TaskCreate[], ReturnType<typeof refusal>]>([
    ["none at all", () => [], refusal("invalid_request", "/tasks")],
    ["501 tasks", () => many(501, () => plain()), refusal("invalid_request", "/tasks")],
    [
      "a field's value",
      () => [plain(), plain(), plain({ priority: 1.5 })],
      refusal("invalid_request", "/tasks/2/priority"),
    ],
    [
      "a field that is not known",
      () => [plain(), { ...plain(), priorty: 1 } as TaskCreate],
      refusal("invalid_request", "/tasks/1/priorty"),
    ],
    [
      "text that cannot be stored",
      () => [plain(), plain({ labels: ["a", "b\0"] })],
      refusal("invalid_request", "/tasks/1/labels/1"),
    ],
    [
      "every invalid reference",
      () => [plain(foreign), plain(), plain({ parent_id: nobodysId }), plain({ organization: newSlug() })],
      refusal("invalid_request", "/tasks/0/git_link", "/tasks/2/parent_id", "/tasks/3/organization"),
    ],
    [
      "what is invalid before what is unknown",
      () => [plain(unknown), plain(foreign)],
      refusal("invalid_request", "/tasks/1/git_link"),
    ],
    [
      "every unknown assignee",
      () => [plain(unknown), plain(), plain(unknown)],
      refusal("unknown_assignee", "/tasks/0/assignee", "/tasks/2/assignee"),
    ],
    ["an inactive agent type", () => [plain(), plain(retired())], refusal("inactive_agent_type", "/tasks/1/assignee")],
  ])("%s", async (_, tasks, expected) => {
    const before = await countTasks();
    await expect(bulk(tasks())).rejects.toMatchObject(expected);
    expect(await countTasks()).toBe(before);
  });

  test("in words that tell where, and how many more", async () => {
    await expect(bulk([plain(), plain(foreign), plain({ parent_id: nobodysId })])).rejects.toMatchObject({
      problem: { detail: expect.stringMatching(/^tasks\/1: git_link: .* 1 more/) },
    });
  });
});
