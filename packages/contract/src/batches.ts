// Changing many tasks with one request (D-39): the same change to each, every one by its own guard.
import Type, { type Static } from "typebox";
import { Release } from "./dispatch.ts";
import { operation } from "./operation.ts";
import { Problem } from "./problems.ts";
import { ref, strict, Uuid } from "./schema.ts";
import { OwnFieldsPatch } from "./tasks.ts";

export const maxBatchIds = 500;

export const TaskBatch = strict(
  {
    ids: Type.Array(Uuid, { minItems: 1, maxItems: maxBatchIds, uniqueItems: true }),
    patch: Type.Optional(OwnFieldsPatch),
    requeue: Type.Optional(Release),
    delete: Type.Optional(Type.Literal(true)),
  },
  { title: "TaskBatch" },
);
export type TaskBatch = Static<typeof TaskBatch>;

const BatchItem = Type.Object({
  id: Uuid,
  status: Type.Integer({ description: "200, 204 for a deletion, or the problem's status" }),
  problem: Type.Optional(ref(Problem)),
});
export type BatchItem = Static<typeof BatchItem>;

export const batchOperations = {
  changeTasks: operation({
    method: "POST",
    path: "/tasks/batch",
    tag: "Tasks",
    summary: "Change many tasks",
    description:
      "Patches, requeues or deletes up to 500: exactly one of `patch`, `requeue` and `delete`. Each task is changed, or refused, as if by a request of its own: some may succeed where others fail.",
    body: TaskBatch,
    response: {
      200: Type.Object(
        { items: Type.Array(BatchItem) },
        { description: "What became of each, in the order of `ids`." },
      ),
    },
  }),
};
