// HTTP of the git host's webhooks (D-33): check the signature, answer, then work.
import { operations } from "@task-service/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AgentSync } from "../agents/agent-sync.ts";
import type { Repository } from "../git/git-address.ts";
import { isSignedBy, readSignatures } from "../git/webhook-signature.ts";
import type { Mirror } from "../mirror/mirror.ts";
import { findIdsByRepository } from "../organizations/organization-queries.ts";
import type { Sql } from "../platform/database.ts";
import { endpoint } from "../platform/endpoint.ts";
import { RequestProblem } from "../platform/problems.ts";
import { isIssueEvent, readIssueDelivery } from "./issue-delivery.ts";

const maxBodyBytes = 16 * 1024 * 1024;

export interface WebhookDeps {
  secret: string;
  sql: Sql;
  sync: AgentSync;
  mirror: Mirror;
}

const unsigned = (): RequestProblem =>
  new RequestProblem("unauthenticated", "The signature is missing, empty or wrong.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });

/** The agents repository whose default branch was pushed to, if the payload says so. */
const pushedRepository = (payload: unknown): Repository | undefined => {
  const { ref, repository } = (payload ?? {}) as {
    ref?: unknown;
    repository?: { full_name?: unknown; default_branch?: unknown };
  };
  const names = /^([^/]+)\/([^/]+)$/.exec(String(repository?.full_name ?? ""));
  if (!names?.[1] || !names[2] || ref !== `refs/heads/${repository?.default_branch}`) return undefined;
  return { owner: names[1], repo: names[2] };
};

const syncPushed = async ({ sql, sync }: WebhookDeps, payload: unknown): Promise<void> => {
  const repository = pushedRepository(payload);
  if (!repository) return;
  const ids = await findIdsByRepository(sql, repository);
  await Promise.all(ids.map(sync.syncAgents));
};

export const addWebhookRoutes = (app: FastifyInstance, deps: WebhookDeps) =>
  app.register(async (webhooks) => {
    // The signature is over the bytes: they are parsed only once it is known to be right.
    webhooks.removeAllContentTypeParsers();
    webhooks.addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body));
    webhooks.addHook("onRequest", async ({ headers }: FastifyRequest) => {
      if (!readSignatures(headers)) throw unsigned();
    });

    endpoint(
      webhooks,
      operations.receiveGitWebhook,
      async (request) => {
        const body = request.body as unknown as Buffer;
        if (!Buffer.isBuffer(body) || !isSignedBy(deps.secret, body, readSignatures(request.headers) ?? []))
          throw unsigned();
        let payload: unknown;
        try {
          payload = JSON.parse(body.toString());
        } catch {
          throw new RequestProblem("invalid_request", "The body is not valid JSON.");
        }
        const event = request.headers["x-gitea-event"] ?? request.headers["x-forgejo-event"];
        if (event === "push") {
          syncPushed(deps, payload).catch((error) => request.log.error({ err: error }, "a push was not followed"));
        } else if (isIssueEvent(event)) {
          const delivery = readIssueDelivery(event, payload);
          if (delivery) deps.mirror.deliver(delivery);
          else request.log.warn({ event }, "a delivery that tells of no issue or pull request was ignored");
        }
        return { status: "accepted" as const };
      },
      { bodyLimit: maxBodyBytes },
    );
  });
