// PATCH /tasks/{id} (D-13): each field, versions, what is refused, and moves in the queue.
import type { Task, TaskPatch } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createFleet, createHandoff, createTask, type Fleet, writeRepoFile } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";

let app: TestApp;
let fleet: Fleet;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await createFleet(app);
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const patch = ({ id }: Task, body: TaskPatch): Promise<Task> => app.client.updateTask({ params: { id }, body });
const read = ({ id }: Task): Promise<Task> => app.client.getTask({ params: { id } });
const eventsOf = async ({ id }: Task) => (await app.client.listTaskEvents({ params: { id } })).items;
const idOf = (slug: string, { agentTypes } = fleet) => agentTypes[slug]?.id ?? "";

const link = () => `${inject("gitUrl")}/acme/website/issues/7`;

describe("PATCH /tasks/{id}", () => {
  test.each<[keyof TaskPatch & keyof Task, unknown]>([
    ["title", "Another"],
    ["prompt", "Something else"],
    ["priority", -7],
    ["labels", ["b", "a"]],
    ["result", ""],
    ["result", "It works.\n"],
    ["input_tokens", Number.MAX_SAFE_INTEGER],
    ["output_tokens", 1],
  ])("sets %s, raises the version and tells the history", async (field, value) => {
    const task = await createTask(app, fleet);
    const updated = await patch(task, { [field]: value });
    expect(updated).toEqual({ ...task, [field]: value, version: 2, updated_at: updated.updated_at });
    expect(await read(task)).toEqual(updated);
    const [event] = await eventsOf(task);
    expect(event).toMatchObject({
      type: "task.updated",
      actor: { sub: "executor", name: "executor" },
      data: { changes: { [field]: { old: task[field], new: value } } },
    });
  });

  test("null takes away what may be absent", async () => {
    const task = await createTask(app, fleet, { git_link: link() });
    await patch(task, { result: "Half" });
    expect(await patch(task, { git_link: null, result: null })).toMatchObject({ git_link: null, result: null });
  });

  test("a merge patch by its own media type, under the version that was read", async () => {
    const task = await createTask(app, fleet);
    const send = (version: string) =>
      app.request(`/tasks/${task.id}`, {
        method: "PATCH",
        body: '{"priority":3}',
        headers: {
          authorization: `Bearer ${app.token}`,
          "content-type": "application/merge-patch+json",
          "if-match": version,
        },
      });
    const first = await send('"1"');
    expect([first.status, first.headers.get("etag")]).toEqual([200, '"2"']);
    const second = await send('"1"');
    expect([second.status, await second.json()]).toMatchObject([412, { code: "precondition_failed" }]);
    expect((await send('"1", "2"')).status).toBe(200);
    expect((await send("*")).status).toBe(200);
    expect((await send('W/"2"')).status).toBe(412);
    const unquoted = await send("2");
    expect(await unquoted.json()).toMatchObject({ code: "invalid_request", errors: [{ pointer: "?if-match" }] });
  });

  test.each([
    ["/title", { title: null }],
    ["/prompt", { prompt: null }],
    ["/priority", { priority: null }],
    ["/labels", { labels: null }],
    ["/input_tokens", { input_tokens: null }],
    ["/input_tokens", { input_tokens: -1 }],
    ["/output_tokens", { output_tokens: 2 ** 53 }],
    ["/title", { title: "x".repeat(201) }],
    ["/result", { result: "x".repeat(262_145) }],
    ["/git_link", { git_link: "not an address" }],
    ["/assignee", { assignee_type: "user" }],
    ["/assignee_type", { assignee: "Ada" }],
    ["/assignee_type", { assignee_type: null, assignee: "Ada" }],
    ["/dispatch_id", { dispatch_id: "1" }],
    ["/state", { state: "dispatched" }],
    ["/parent_id", { parent_id: null }],
    ["/organization", { organization: "acme" }],
    ["/needs_attention", { needs_attention: false }],
  ])("%s is named when it is what is wrong: %j", async (pointer, body) => {
    const task = await createTask(app, fleet);
    await expect(patch(task, body as TaskPatch)).rejects.toMatchObject(refusal("invalid_request", pointer));
    expect(await read(task)).toEqual(task);
  });

  test("a patch that changes nothing is 200 without a new version or event", async () => {
    const created = await createTask(app, fleet, { labels: ["a", "b"], git_link: link() });
    await app.mirror.idle();
    const task = await read(created);
    const events = await eventsOf(task);
    const { title, prompt, priority, labels, assignee_type, assignee, result, input_tokens } = task;
    const same = { title, prompt, priority, labels, assignee_type, assignee, result, input_tokens, git_link: link() };
    expect(await patch(task, {})).toEqual(task);
    expect(await patch(task, same)).toEqual(task);
    expect(await eventsOf(task)).toEqual(events);
  });

  test("an assignment that stays as it is may stay, also once the agent type is inactive", async () => {
    const only = await createFleet(app, ["developer", "leaving"]);
    const task = await createTask(app, only, { assignee: idOf("leaving", only) });
    await writeRepoFile(only.organization.slug, "personas/leaving.md", undefined);
    await app.client.syncOrganization({ params: { organization: only.organization.slug } });
    const { assignee_type, assignee } = task;
    expect(await patch(task, { assignee_type, assignee, title: "Renamed" })).toMatchObject({ title: "Renamed" });
    const back = patch(await createTask(app, only), { assignee_type, assignee });
    await expect(back).rejects.toMatchObject(refusal("inactive_agent_type", "/assignee"));
  });

  test("long text stands in the history as its beginning", async () => {
    const task = await createTask(app, fleet);
    await patch(task, { prompt: "🦀".repeat(5000) });
    const [event] = await eventsOf(task);
    expect(event?.data.changes).toEqual({
      prompt: { old: "Do the work", new: { text: "🦀".repeat(4096), truncated: true } },
    });
  });

  test("of two patches under one version one is refused", async () => {
    const task = await createTask(app, fleet);
    const results = await Promise.allSettled(
      [1, 2, 3, 4].map((priority) =>
        app.client.updateTask({ params: { id: task.id }, body: { priority }, headers: { "if-match": '"1"' } }),
      ),
    );
    const refused = results.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(refused).toEqual(Array(3).fill("precondition_failed"));
  });
});

describe("the place in the queue", () => {
  const queue = async ({ organization }: Fleet) => {
    const { items } = await app.client.listTasks({ query: { sort: "queue", organization: [organization.slug] } });
    return items.map(({ title }) => title);
  };

  test("is kept by age through priorities, other assignees and other organizations", async () => {
    const [here, there] = [await createFleet(app), await createFleet(app)];
    const a = await createTask(app, here, { title: "a" });
    const b = await createTask(app, there, { title: "b" });
    await createTask(app, here, { title: "c" });
    await patch(a, { priority: 5 });
    await patch(b, { priority: 5, assignee_type: "agent", assignee: idOf("reviewer", here) });
    expect(await queue(here)).toEqual(["a", "b", "c"]);
    await patch(a, { priority: 0 });
    expect(await queue(here)).toEqual(["b", "a", "c"]);
    expect(await patch(b, { priority: 0 })).toMatchObject({ organization_id: here.organization.id });
    expect([await queue(here), await queue(there)]).toEqual([["a", "b", "c"], []]);
    await patch(a, { assignee_type: "user", assignee: "Ada" });
    expect(await queue(here)).toEqual(["b", "c"]);
    await patch(a, { assignee_type: "agent", assignee: `${here.organization.slug}/developer` });
    expect(await queue(here)).toEqual(["a", "b", "c"]);
  });

  test("is given when the task first gets an agent type", async () => {
    const here = await createFleet(app);
    const organization = here.organization.slug;
    const late = await createTask(app, here, { title: "late", assignee_type: null, assignee: null, organization });
    await createTask(app, here, { title: "early" });
    await patch(late, { assignee_type: "agent", assignee: idOf("developer", here) });
    expect(await queue(here)).toEqual(["early", "late"]);
  });

  test("an organization that is deleted at this very moment is not moved to", async () => {
    const leaving = await createFleet(app, ["tester"]);
    const task = await createTask(app, fleet);
    const { moving } = await app.sql.begin(async (transaction) => {
      const { id } = leaving.organization;
      await transaction`select from agent_types where organization_id = ${id} for update`;
      await transaction`select from organizations where id = ${id} for update`;
      const change = patch(task, { assignee_type: "agent", assignee: idOf("tester", leaving) }).catch((error) => error);
      await untilBlocked(app);
      await transaction`delete from agent_type_versions where agent_type_id = ${idOf("tester", leaving)}`;
      await transaction`delete from agent_types where organization_id = ${id}`;
      await transaction`delete from agent_syncs where organization_id = ${id}`;
      await transaction`delete from organizations where id = ${id}`;
      return { moving: change };
    });
    expect(await moving).toMatchObject(refusal("unknown_assignee", "/assignee"));
  });
});

test("a change that waited for another answers with what that one left, the agent type included", async () => {
  const { task, dispatch, fleet: own } = await createHandoff(app);
  await app.client.finishDispatch({ params: { id: dispatch.id } });
  await patch(task, { assignee_type: "user", assignee: "ada" });
  const assignee = idOf("developer", own);
  const changes = await app.sql.begin(async (holder) => {
    await holder`select from tasks where id = ${task.id} for update`;
    const given = patch(task, { assignee_type: "agent", assignee });
    await untilBlocked(app);
    const none = patch(task, {});
    await untilBlocked(app, 2);
    return { given, none };
  });
  await changes.given;
  expect(await changes.none).toMatchObject({ assignee, agent_type: { id: assignee } });
});
