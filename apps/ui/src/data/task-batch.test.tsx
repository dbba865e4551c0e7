// What a change shows before its answer is not news from the service: neither newer than what was read, nor the end of an error.
import { useQuery } from "@tanstack/react-query";
import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createFakeClient } from "../testing/fake-client.ts";
import { renderPart } from "../testing/render-part.tsx";
import { makeAgentType, makeOrganization, makeTask } from "../testing/resource-factory.ts";
import { useClient } from "./client-context.tsx";
import { useChangeTasks } from "./task-batch.ts";
import { taskKey, taskQuery } from "./task-data.ts";

const developer = makeAgentType(makeOrganization());

const Changing = ({ ids: [id = "", other = ""] }: { ids: readonly string[] }) => {
  const client = useClient();
  const { data, error } = useQuery({ ...taskQuery(client, id), retry: false });
  useQuery(taskQuery(client, other));
  const { mutate } = useChangeTasks();
  const change = () => mutate([{ ids: [id], change: { patch: { priority: 75 } }, shown: { priority: 75 } }]);
  return (
    <>
      <output>{`${data?.priority} ${error ? "failed" : "read"}`}</output>
      <button type="button" onClick={change}>
        Change
      </button>
    </>
  );
};

test("a change that is shown at once leaves it said when everything was read, and that the service is away", async () => {
  const tasks = [makeTask(developer, { priority: 0 }), makeTask(developer)];
  const ids = tasks.map(({ id }) => id);
  const client = createFakeClient({ tasks });
  const { user, queries } = renderPart(client, <Changing ids={ids} />);
  await screen.findByText("0 read");
  await vi.waitFor(() => expect(queries.isFetching()).toBe(0), { timeout: 5_000 });
  const standing = () => ids.map((id) => queries.getQueryState(taskKey(id)));
  const readAt = () => standing().map((state) => state?.dataUpdatedAt);
  const before = readAt();
  vi.spyOn(client, "getTask").mockRejectedValue(new TypeError("fetch failed"));
  vi.spyOn(client, "changeTasks").mockReturnValue(new Promise(() => undefined));
  await act(() => queries.refetchQueries({ queryKey: taskKey(ids[0] ?? ""), exact: true }));
  await screen.findByText("0 failed");
  await user.click(screen.getByRole("button", { name: "Change" }));
  await screen.findByText("75 failed");
  expect(readAt()).toEqual(before);
});
