// Bodies to send, for the document: each operation's, by what one wants with it.
import type { Body, Operations } from "@task-service/contract";
import { answerExamples } from "./openapi-answer-examples.ts";

const { id: taskId, prompt } = answerExamples.Task;
const { id: dispatchId } = answerExamples.Dispatch;
const newTask = { assignee_type: "agent", assignee: "acme/developer", priority: 50, prompt } as const;

/** Bodies by operation, each under what it does. */
export const bodyExamples: { [Name in keyof Operations]?: Record<string, Body<Operations[Name]>> } = {
  createTask: {
    "For an agent": newTask,
    "A follow-up, by a worker": {
      assignee_type: "agent",
      assignee: "acme/reviewer",
      prompt: "Review https://git.example/acme/web-shop/pulls/413",
      parent_id: taskId,
    },
    "For a person": {
      assignee_type: "user",
      assignee: "Ada",
      organization: "acme",
      prompt: "Decide how long a session may last",
    },
  },
  createTasks: {
    "Two for one agent": {
      tasks: [newTask, { ...newTask, prompt: "Does the sign-up test fail for the same reason?" }],
    },
  },
  updateTask: {
    "A worker reports": {
      dispatch_id: dispatchId,
      result: "The cache was read before it was warm. Fixed in pull request 413.",
      input_tokens: 48_210,
      output_tokens: 3_902,
    },
    "Somebody makes it urgent": { priority: 100 },
  },
  createNote: { "For whoever takes it next": { text: "It only fails when the cache is cold." } },
  changeTasks: {
    "More urgent": { ids: [taskId], patch: { priority: 100 } },
    "Back to the queue": { ids: [taskId], requeue: { reason: "The git host was away" } },
    "Gone for good": { ids: [taskId], delete: true },
  },
  signalCapacity: {
    "Three free slots, one task running": {
      executor: "build-7",
      slots: 3,
      wait_seconds: 30,
      lease_seconds: 300,
      claim_key: "build-7-000481",
      sequence: 1_795_253_439_000,
      holding: [dispatchId],
      finished: [],
    },
  },
  releaseDispatch: { "With the reason": { reason: "The runner is going down for maintenance" } },
  requeueTask: { "With the reason": { reason: "The worker could not reach the git host" } },
  createOrganization: { "By its slug": { slug: "acme", name: "Acme" } },
  updateOrganization: {
    "Another name": { name: "Acme Limited" },
    "Another repository": { agents_repo_url: "https://git.example/platform/personas" },
    "Back to the conventional one": { agents_repo_url: null },
  },
};
