// Each event counts once in the numbers (D-29), whatever fails, races or is gone by the time it is folded.
import type { UsageGroup, UsageItem } from "@task-service/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFleet, createHandoff, createTask, createTasks, type Fleet, takeTask } from "../../test/factories.ts";
import { foldHistory } from "../../test/folded-history.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";
import { foldEvents, listEventTotals } from "./event-fold.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const usageOf = async (group_by: UsageGroup, key: string | null): Promise<UsageItem | undefined> =>
  (await app.client.getStatsUsage({ query: { group_by } })).items.find((item) => item.key === key);
const usageOfFleet = ({ organization }: Fleet) => usageOf("organization", organization.id);
const reportTokens = (id: string, input_tokens: number, output_tokens: number) =>
  app.client.updateTask({ params: { id }, body: { input_tokens, output_tokens } });

test("dispatches and tokens are counted for agent type, organization, executor and root, the day and the whole", async () => {
  const { task, fleet } = await createHandoff(app, { executor: "counted" });
  const child = await createTask(app, fleet, { parent_id: task.id });
  await takeTask(app, fleet, { executor: "counted" });
  await reportTokens(task.id, 100, 10);
  await reportTokens(task.id, 70, 10);
  await reportTokens(child.id, 5, 5);
  await foldHistory(app);
  const used = { dispatches: 2, input_tokens: 75, output_tokens: 15 };
  const [type] = Object.values(fleet.agentTypes);
  const slug = fleet.organization.slug;
  expect(await usageOf("agent_type", type?.id ?? "")).toEqual({
    ...used,
    key: type?.id,
    label: `${slug}/${type?.slug}`,
  });
  expect(await usageOfFleet(fleet)).toEqual({ ...used, key: fleet.organization.id, label: slug });
  expect(await usageOf("executor", "counted")).toEqual({ ...used, key: "counted", label: "counted" });
  expect(await usageOf("root", task.id)).toEqual({ ...used, key: task.id, label: task.title });
  const { items, total } = await app.client.getStatsUsage();
  expect(items.at(-1)).toMatchObject(total);
});

test("usage outlives the task, and counts when the task is gone before it is folded", async () => {
  const { task, fleet } = await createHandoff(app);
  await reportTokens(task.id, 8, 4);
  await app.client.deleteTask({ params: { id: task.id } });
  await foldHistory(app);
  const used = { dispatches: 1, input_tokens: 8, output_tokens: 4 };
  expect(await usageOfFleet(fleet)).toMatchObject(used);
  expect(await usageOf("root", task.id)).toEqual({ ...used, key: task.id, label: task.id });
});

test("usage goes to the agent type that was dispatched, though the task has moved on", async () => {
  const { task, dispatch, fleet } = await createHandoff(app);
  const [, other] = Object.values(fleet.agentTypes);
  await app.client.finishDispatch({ params: { id: dispatch.id } });
  await app.client.updateTask({
    params: { id: task.id },
    body: { assignee_type: "agent", assignee: other?.id ?? "", input_tokens: 6 },
  });
  await foldHistory(app);
  expect(await usageOf("agent_type", dispatch.agent_type_id)).toMatchObject({ dispatches: 1, input_tokens: 6 });
  expect(await usageOf("agent_type", other?.id ?? "")).toBeUndefined();
});

test("tokens of a task that was never dispatched belong to nobody", async () => {
  const fleet = await createFleet(app);
  const { id } = await createTask(app, fleet);
  await reportTokens(id, 3, 0);
  await foldHistory(app);
  expect(await usageOf("agent_type", null)).toMatchObject({ label: "none", dispatches: 0, input_tokens: 3 });
  expect(await usageOf("root", id)).toMatchObject({ input_tokens: 3 });
});

test("the largest totals there can be are added up, and answered as the largest number there is", async () => {
  const fleet = await createFleet(app);
  const max = Number.MAX_SAFE_INTEGER;
  const tasks = await createTasks(app, fleet, 3);
  for (const { id } of tasks) await reportTokens(id, max, max);
  await foldHistory(app);
  expect(await usageOfFleet(fleet)).toMatchObject({ input_tokens: max, output_tokens: max });
  for (const { id } of tasks) await reportTokens(id, 1, 1);
  await foldHistory(app);
  expect(await usageOfFleet(fleet)).toMatchObject({ input_tokens: 3, output_tokens: 3 });
});

test("a fold that fails half-way has counted nothing, and the next one counts all of it once", async () => {
  const { fleet } = await createHandoff(app);
  await foldHistory(app);
  const before = await listEventTotals(app.sql);
  await createTask(app, fleet);
  await takeTask(app, fleet);
  const upTo = await app.feed.settled();
  // The rollup that is written last refuses this day.
  await app.sql`alter table usage_days add constraint refused check (dispatches < 2) not valid`;
  await expect(foldEvents(app.sql, upTo)).rejects.toThrow("refused");
  expect(await listEventTotals(app.sql)).toEqual(before);
  expect(await usageOfFleet(fleet)).toMatchObject({ dispatches: 1 });
  await app.sql`alter table usage_days drop constraint refused`;
  await foldHistory(app);
  expect(await usageOfFleet(fleet)).toMatchObject({ dispatches: 2 });
});

test("many folds at once, in small batches, count each event once", async () => {
  const fleet = await createFleet(app);
  await createTasks(app, fleet, 20);
  for (let n = 0; n < 20; n++) await takeTask(app, fleet);
  const upTo = await app.feed.settled();
  await Promise.all(Array.from({ length: 4 }, () => foldEvents(app.sql, upTo, 7)));
  await foldHistory(app);
  expect(await usageOfFleet(fleet)).toMatchObject({ dispatches: 20 });
  const counted = await app.sql`select type, count(*) from events group by type order by type`;
  expect(await listEventTotals(app.sql)).toEqual([...counted]);
});

test("while one folds, another finds nothing to do", async () => {
  const fleet = await createFleet(app);
  await createTasks(app, fleet, 2);
  await takeTask(app, fleet);
  await foldHistory(app);
  await takeTask(app, fleet);
  const upTo = await app.feed.settled();
  let first: Promise<void> | undefined;
  await app.sql.begin(async (transaction) => {
    await transaction`select from event_totals for update`;
    first = foldEvents(app.sql, upTo);
    await untilBlocked(app);
    await foldEvents(app.sql, upTo);
  });
  await first;
  await foldHistory(app);
  expect(await usageOfFleet(fleet)).toMatchObject({ dispatches: 2 });
});

test("an event that commits late is counted when it does, and holds back what came after it", async () => {
  const { organization } = await createFleet(app);
  const append = (type: string, sql = app.sql) =>
    sql`insert into events (type, organization_id, actor, data) values (${type}, ${organization.id}, '{}', '{}')`;
  const countOf = async (type: string) => (await listEventTotals(app.sql)).find((total) => total.type === type)?.count;
  await app.sql.begin(async (transaction) => {
    await append("late", transaction as unknown as TestApp["sql"]);
    await append("early");
    await foldEvents(app.sql, await app.feed.settled());
    expect(await countOf("early")).toBeUndefined();
  });
  await foldHistory(app);
  expect([await countOf("late"), await countOf("early")]).toEqual([1, 1]);
});
