// POST /tasks (D-12): defaults, assignment, lineage, links to the git host, and what is refused.
import type { Task, TaskCreate } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createFleet, createTask, type Fleet, writeRepoFile } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";
import { writeMove } from "./count-queries.ts";
import { titleOf } from "./task-drafts.ts";

const nobodysId = "00000000-0000-7000-8000-000000000000";

let app: TestApp;
let fleet: Fleet;
let other: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app, ["developer", "retired"]);
  other = await createFleet(app, ["tester"]);
  const { slug } = fleet.organization;
  await writeRepoFile(slug, "personas/retired.md", undefined);
  await app.client.syncOrganization({ params: { organization: slug } });
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const create = (body: Partial<TaskCreate>) => app.client.createTask({ body: { prompt: "Do the work", ...body } });
const developer = () => fleet.agentTypes.developer?.id ?? "";
const forDeveloper = () => ({ assignee_type: "agent", assignee: developer() }) as const;

describe("POST /tasks", () => {
  test("the specification's four fields are enough: 201, Location, ETag, the whole resource", async () => {
    const response = await app.request("/tasks", {
      method: "POST",
      body: JSON.stringify({ ...forDeveloper(), prompt: "\n  Fix the login  \n\nIt fails.", priority: 50 }),
    });
    expect([response.status, response.headers.get("etag")]).toEqual([201, '"1"']);
    const task = (await response.json()) as Task;
    const { id } = task;
    expect(new URL(response.headers.get("location") ?? "", response.url).pathname).toBe(`/api/tasks/${id}`);
    expect(task).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      organization_id: fleet.organization.id,
      organization_slug: fleet.organization.slug,
      title: "Fix the login",
      prompt: "\n  Fix the login  \n\nIt fails.",
      priority: 50,
      assignee_type: "agent",
      assignee: developer(),
      agent_type: { id: developer(), slug: "developer", name: "developer", is_active: true },
      state: "queued",
      needs_attention: false,
      labels: [],
      parent_id: null,
      root_id: id,
      depth: 0,
      git_link: null,
      git_state: null,
      result: null,
      input_tokens: 0,
      output_tokens: 0,
      dispatch_count: 0,
      current_dispatch_id: null,
      executor: null,
      dispatched_at: null,
      dispatch_ended_at: null,
      created_by: { sub: "executor", name: "executor" },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.any(String),
      queued_at: expect.any(String),
      version: 1,
    });
    expect(await app.client.getTask({ params: { id } })).toEqual(task);
  });

  test("priority is 0 unless it is given", async () => {
    expect(await create(forDeveloper())).toMatchObject({ priority: 0 });
  });

  test.each([-32_768, 32_767])("priority may be %i", async (priority) => {
    expect(await create({ ...forDeveloper(), priority })).toMatchObject({ priority });
  });

  test("characters outside the basic plane survive, and count as one", async () => {
    const title = "🦀".repeat(200);
    expect(await create({ ...forDeveloper(), title, prompt: `${title}\u2028é` })).toMatchObject({
      title,
      prompt: `${title}\u2028é`,
    });
  });

  test.each([
    ["prompt", { prompt: " \n\t" }],
    ["prompt", { prompt: "x".repeat(262_145) }],
    ["title", { title: "🦀".repeat(201) }],
    ["title", { title: "  " }],
    ["priority", { priority: 32_768 }],
    ["priority", { priority: 1.5 }],
    ["priority", { priority: "5" as unknown as number }],
    ["priority", { priority: null as unknown as number }],
    ["assignee_type", { assignee_type: "robot" as "agent", assignee: "x" }],
    ["labels", { labels: Array.from({ length: 21 }, (_, n) => `l${n}`) }],
    ["labels", { labels: ["a", "a"] }],
    ["labels/0", { labels: [" "] }],
    ["labels/1", { labels: ["a", "x".repeat(51)] }],
    ["parent_id", { parent_id: "1" }],
    ["parent_id", { parent_id: nobodysId }],
    ["git_link", { git_link: "https://elsewhere.example/a/b/issues/1" }],
    ["priorty", { priorty: 5 }],
    ["result", { result: "born finished" }],
  ])("%s is named when it is what is wrong: %j", async (field, body) => {
    await expect(create({ ...forDeveloper(), ...body })).rejects.toMatchObject(refusal("invalid_request", `/${field}`));
  });

  test("a task without a prompt is refused", async () => {
    const body = JSON.stringify(forDeveloper());
    expect(await app.problem("/tasks", { method: "POST", body })).toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "/prompt" }],
    });
  });

  test("262,144 characters of prompt are not too many", async () => {
    expect((await create({ ...forDeveloper(), prompt: "🦀".repeat(262_144) })).title).toBe("🦀".repeat(120));
  });
});

describe("the assignee", () => {
  test("may be <organization>/<slug>, the organization in any case", async () => {
    const assignee = `${fleet.organization.slug.toUpperCase()}/developer`;
    expect(await create({ assignee_type: "agent", assignee })).toMatchObject({ assignee: developer() });
  });

  test("may be an id in upper case, and is kept in lower case", async () => {
    const assignee = developer().toUpperCase();
    expect(await create({ assignee_type: "agent", assignee })).toMatchObject({ assignee: developer() });
  });

  test("may come with its own organization, by id or slug", async () => {
    for (const organization of [fleet.organization.id, fleet.organization.slug]) {
      expect(await create({ ...forDeveloper(), organization })).toMatchObject({
        organization_id: fleet.organization.id,
      });
    }
  });

  test.each([
    ["another organization", () => ({ ...forDeveloper(), organization: other.organization.slug }), "/organization"],
    ["an unknown organization", () => ({ ...forDeveloper(), organization: "nobody" }), "/organization"],
    ["an assignee of no type", () => ({ assignee: developer() }), "/assignee_type"],
    ["an agent type left open", () => ({ assignee_type: "agent" as const }), "/assignee"],
    ["a person without a name", () => ({ assignee_type: "user" as const }), "/assignee"],
    ["nobody, nowhere", () => ({}), "/organization"],
    ["a person, nowhere", () => ({ assignee_type: "user" as const, assignee: "Ada" }), "/organization"],
  ])("%s is 400", async (_, body, pointer) => {
    await expect(create(body())).rejects.toMatchObject(refusal("invalid_request", pointer));
  });

  test.each([nobodysId, "developer", "nobody/developer", "/", "a/b/c", "x".repeat(255)])(
    "%s is no agent type: 422",
    async (assignee) => {
      await expect(create({ assignee_type: "agent", assignee })).rejects.toMatchObject(
        refusal("unknown_assignee", "/assignee"),
      );
    },
  );

  test("an inactive agent type is 422", async () => {
    const assignee = fleet.agentTypes.retired?.id ?? "";
    await expect(create({ assignee_type: "agent", assignee })).rejects.toMatchObject(
      refusal("inactive_agent_type", "/assignee"),
    );
  });

  test.each([
    ["a person", { assignee_type: "user", assignee: "Ada Lovelace" }],
    ["nobody", { assignee_type: null, assignee: null }],
  ] as const)("a task of %s is queued, but in no order and never dispatched", async (_, assignment) => {
    const organization = other.organization.slug;
    const task = await create({ ...assignment, organization });
    expect(task).toMatchObject({ ...assignment, state: "queued", agent_type: null });
    const { items } = await app.client.listTasks({ query: { sort: "queue", organization: [organization] } });
    expect(items).toEqual([]);
    expect(await app.client.takeNextTask({ query: { organization } })).toBeNull();
  });
});

describe("a follow-up", () => {
  test("knows its parent, its root and how deep it is, also in another organization", async () => {
    const root = await createTask(app, fleet);
    const child = await createTask(app, other, { parent_id: root.id });
    const grandchild = await createTask(app, fleet, { parent_id: child.id.toUpperCase() });
    expect(child).toMatchObject({ parent_id: root.id, root_id: root.id, depth: 1 });
    expect(grandchild).toMatchObject({ parent_id: child.id, root_id: root.id, depth: 2 });
  });

  test("of a task that is deleted at this very moment is 400, not a fault of ours", async () => {
    const parent = await createTask(app, fleet);
    const following = await app.sql.begin(async (transaction) => {
      await transaction`delete from ready where task_id = ${parent.id}`;
      await transaction`delete from tasks where id = ${parent.id}`;
      await writeMove(transaction, parent);
      const creation = createTask(app, fleet, { parent_id: parent.id }).catch((error: unknown) => error);
      await untilBlocked(app);
      return { creation };
    });
    expect(await following.creation).toMatchObject(refusal("invalid_request", "/parent_id"));
  });
});

describe("a git link", () => {
  test.each([
    ["issues", "issue"],
    ["pulls", "pull_request"],
  ])("to one of the %s is taken apart", async (path, kind) => {
    const url = `${inject("gitUrl")}/acme/website/${path}/42`;
    expect(await create({ ...forDeveloper(), git_link: `${url}/` })).toMatchObject({
      git_link: { url, kind, owner: "acme", repo: "website", number: 42 },
      git_state: null,
    });
  });
});

describe("the default title", () => {
  test.each([
    ["one line", "one line"],
    ["\r\n \u00a0\r\n  second  \r\nthird", "second"],
    ["mac\rlines", "mac"],
    ["x".repeat(121), "x".repeat(120)],
    ["👩‍🚀".repeat(60), "👩‍🚀".repeat(40)],
    [`${"🦀".repeat(119)}éé`, `${"🦀".repeat(119)}é`],
  ])("of %j", (prompt, title) => {
    expect(titleOf(prompt)).toBe(title);
  });
});
