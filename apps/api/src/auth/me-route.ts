// HTTP of `GET /me` (D-39): who the token speaks for, and what the service allows.
import {
  maxLabels,
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

const limits = {
  prompt_characters: maxPromptCharacters,
  title_characters: maxTitleCharacters,
  result_characters: maxResultCharacters,
  labels: maxLabels,
  priority_min: minPriority,
  priority_max: maxPriority,
  page_size: maxPageSize,
};

export const addMeRoute = (app: FastifyInstance, { gitUrl, version }: { gitUrl: string; version: string }): void => {
  endpoint(app, operations.getMe, async ({ caller: { actor, expiresAt } }) => ({
    ...actor,
    expires_at: new Date(expiresAt * 1000).toISOString(),
    git_url: gitUrl,
    limits,
    version,
  }));
};
