// What a run returns becomes part of its task, before the dispatch is finished.
import { expect, test, vi } from "vitest";
import { setUp } from "../test/executor-fixture.ts";
import { problem } from "../test/fake-service.ts";
import type { RunTask } from "./dispatch-work.ts";

test("result and tokens are reported for the dispatch, then it is finished", async () => {
  const { service, start, finished } = await setUp();
  service.offer({});
  start(async () => ({ result: "Done.", input_tokens: 12, output_tokens: 3 }));
  await finished();
  const [dispatch_id] = service.finished();
  const report = { result: "Done.", input_tokens: 12, output_tokens: 3, dispatch_id };
  expect(service.requests("patch").map(({ body }) => body)).toEqual([report]);
});

test("nothing returned is nothing reported", async () => {
  const { service, start, finished } = await setUp();
  service.offer({}, {});
  const run = vi.fn<RunTask>().mockResolvedValueOnce(undefined).mockResolvedValueOnce({});
  start(run);
  await finished(2);
  expect(service.requests("patch")).toEqual([]);
});

test("a report is repeated until the service has it, and a refused one is said and does not undo the work", async () => {
  const { service, start, finished, lines } = await setUp();
  service.offer({});
  const answers = [problem("database_unavailable"), "no answer" as const, problem("invalid_request")];
  service.rules.push(({ operation }) => (operation === "patch" ? answers.shift() : undefined));
  start(async () => ({ result: "Done." }));
  await finished();
  expect(service.requests("patch")).toHaveLength(3);
  expect(lines.join("\n")).toMatch(/finished, its report was not taken: /);
});

test("a report of a dispatch that is over is forgotten", async () => {
  const { service, start, logged } = await setUp();
  service.offer({});
  start(async () => {
    service.takeAwayAll();
    return { result: "Too late." };
  });
  await logged(/ended .*: stopped and forgotten/);
  expect(service.finished()).toEqual([]);
});

test.each([
  ["nothing", {}, "The last line."],
  ["its tokens", { input_tokens: 5 }, "The last line."],
  ["its result", { result: "The worker's." }, "The worker's."],
])("a fallback gives way to what the worker wrote: %s", async (_, written, result) => {
  const { service, start, finished } = await setUp();
  service.offer({});
  start(async ({ dispatch }) => {
    const { task } = service.dispatches.get(dispatch.id) ?? expect.fail();
    if (Object.keys(written).length > 0) Object.assign(task, written, { version: task.version + 1 });
    return { result: "The last line.", isResultFallback: true };
  });
  await finished();
  const [{ task } = expect.fail()] = [...service.dispatches.values()];
  expect(task).toMatchObject({ ...written, result });
});
