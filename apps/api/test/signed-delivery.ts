// Deliveries of the git host as it sends them: the sample messages, byte for byte, and signed ones made for a test.
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { issueBody, type ScriptedIssue, type ScriptedRepository } from "./scripted-issues.ts";
import type { TestApp } from "./test-app.ts";

const folder = join(import.meta.dirname, "../../../dev/test/git-host-samples");

export const readMessage = (name: string): Buffer => readFileSync(join(folder, name));

export const { deliveries } = JSON.parse(readMessage("headers.json").toString()) as {
  deliveries: Record<string, Record<string, string>>;
};

/** Sends a sample message with the very headers it came with. */
export const deliverMessage = (app: TestApp, name: string): Promise<Response> => {
  const { "Content-Length": _length, ...headers } = deliveries[name] ?? {};
  return app.request("/webhooks/git", { method: "POST", body: new Uint8Array(readMessage(name)), headers });
};

/** Sends a payload as Gitea would, and waits for the answer only. */
export const deliver = (app: TestApp, event: string, payload: unknown): Promise<Response> => {
  const body = JSON.stringify(payload, null, 2);
  const signature = createHmac("sha256", "test-signing-secret").update(body).digest("hex");
  const headers = { "content-type": "application/json", "x-gitea-event": event, "x-gitea-signature": signature };
  return app.request("/webhooks/git", { method: "POST", body, headers });
};

/** Tells of an issue or a pull request as hosts do: what makes a pull request stands beside its other fields. */
export const deliverIssue = (
  app: TestApp,
  repository: ScriptedRepository,
  issue: ScriptedIssue,
  action = "edited",
): Promise<Response> => {
  const { pull_request, ...body } = issueBody(repository, issue);
  const { id, full_name } = repository;
  const subject = pull_request ? { pull_request: { ...body, ...pull_request } } : { issue: { ...body, pull_request } };
  const event = pull_request ? "pull_request" : "issues";
  const payload = { action, number: issue.number, ...subject, repository: { id, full_name, default_branch: "main" } };
  return deliver(app, event, payload);
};
