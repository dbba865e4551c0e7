// HTTP of `GET /me` (D-39): who the token speaks for, and what the service allows.
import {
  maxBulkTasks,
  maxLabels,
  maxNoteCharacters,
  maxPageSize,
  maxPriority,
  maxPromptCharacters,
  maxResultCharacters,
  maxTitleCharacters,
  minPriority,
  operations,
} from "@task-service/contract";
import type { FastifyInstance } from "fastify";
import { endpoint } from "../platform/endpoint.ts";

const fixedLimits = {
  prompt_characters: maxPromptCharacters,
  title_characters: maxTitleCharacters,
  result_characters: maxResultCharacters,
  labels: maxLabels,
  priority_min: minPriority,
  priority_max: maxPriority,
  page_size: maxPageSize,
  bulk_tasks: maxBulkTasks,
  note_characters: maxNoteCharacters,
};

export interface MeDeps {
  gitUrl: string;
  version: string;
  maxTaskDepth: number;
  maxTasksPerRoot: number;
}

export const addMeRoute = (app: FastifyInstance, { gitUrl, version, maxTaskDepth, maxTasksPerRoot }: MeDeps): void => {
  const limits = { ...fixedLimits, task_depth: maxTaskDepth, tasks_per_root: maxTasksPerRoot };
  endpoint(app, operations.getMe, async ({ caller: { actor, expiresAt } }) => ({
    ...actor,
    expires_at: new Date(expiresAt * 1000).toISOString(),
    git_url: gitUrl,
    limits,
    version,
  }));
};
