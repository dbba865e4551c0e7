// What became of tasks that left their list: few requests however many left, and the truth about each.
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeClient } from "../testing/fake-client.ts";
import { renderPart } from "../testing/render-part.tsx";
import { makeAgentType, makeEvent, makeOrganization, makeTask } from "../testing/resource-factory.ts";
import { useLeftTasks } from "./left-task-data.ts";

const developer = makeAgentType(makeOrganization());

const Left = ({ ids }: { ids: readonly string[] }) => {
  const left = useLeftTasks(ids);
  const words = ids.map((id) => {
    const task = left.get(id);
    return task === undefined ? "?" : (task?.title ?? "deleted");
  });
  return <output>{words.join(" ")}</output>;
};

const setUp = (present: number, deleted: number) => {
  const tasks = Array.from({ length: present }, (_, n) => makeTask(developer, { title: `task-${n}` }));
  const gone = Array.from({ length: deleted }, () => makeTask(developer));
  const events = gone.map((task) => makeEvent(task, { type: "task.deleted" }));
  const client = createFakeClient({ tasks, events });
  const asked = [vi.spyOn(client, "listTasks"), vi.spyOn(client, "listEvents")];
  renderPart(client, <Left ids={[...tasks, ...gone].map(({ id }) => id)} />);
  return { requests: () => asked.reduce((sum, { mock }) => sum + mock.calls.length, 0) };
};
const told = (words: string) => screen.findByText(words, {}, { timeout: 5_000 });

test("forty that left are asked for with one request", async () => {
  const { requests } = setUp(40, 0);
  await told(Array.from({ length: 40 }, (_, n) => `task-${n}`).join(" "));
  expect(requests()).toBe(1);
});

test("those that were deleted take one more", async () => {
  const { requests } = setUp(2, 30);
  await told(`task-0 task-1${" deleted".repeat(30)}`);
  expect(requests()).toBe(2);
});

test("what is not among the latest changes any more is asked for by itself", async () => {
  const tasks = Array.from({ length: 30 }, (_, n) => makeTask(developer, { title: `task-${n}` }));
  const client = createFakeClient({ tasks });
  renderPart(client, <Left ids={tasks.slice(0, 2).map(({ id }) => id)} />);
  await told("task-0 task-1");
});
