// HTTP of the git host's webhooks (D-33): check the signature, answer, then work.
import { operations } from "@task-service/contract";
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from "fastify";
import type { AgentSync } from "../agents/agent-sync.ts";
import { parseFullName, type Repository } from "../git/git-address.ts";
import { isRecord } from "../git/git-host-requests.ts";
import { isSignedBy, readSignatures } from "../git/webhook-signature.ts";
import type { Mirror } from "../mirror/mirror.ts";
import { findIdsByRepository } from "../organizations/organization-queries.ts";
import { addBodyAllowance } from "../platform/body-allowance.ts";
import type { Sql } from "../platform/database.ts";
import { endpoint } from "../platform/endpoint.ts";
import { mapInParallel } from "../platform/parallel.ts";
import { RequestProblem } from "../platform/problems.ts";
import { isIssueEvent, readIssueDelivery } from "./issue-delivery.ts";

const maxBodyBytes = 16 * 1024 * 1024;
/** Of the largest; deliveries are a thousand times smaller. */
const bodiesAtOnce = 4;
const organizationsAtOnce = 8;

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

/** The repository whose default branch was pushed to, if the payload says so. */
const pushedRepository = (payload: unknown): Repository | undefined => {
  const { ref, repository } = isRecord(payload) ? payload : {};
  if (!isRecord(repository) || typeof repository.default_branch !== "string") return undefined;
  return ref === `refs/heads/${repository.default_branch}` ? parseFullName(repository.full_name) : undefined;
};

/** Synchronizes every organization that uses the repository, some at a time: whole teams may share one. */
const syncPushed = async (
  { sql, sync }: WebhookDeps,
  payload: unknown,
  log: Pick<FastifyBaseLogger, "error">,
): Promise<void> => {
  const repository = pushedRepository(payload);
  if (!repository) return;
  await mapInParallel(organizationsAtOnce, await findIdsByRepository(sql, repository), (id) =>
    sync.syncAgents(id).catch((error) => log.error({ err: error, organization_id: id }, "synchronization failed")),
  );
};

export const addWebhookRoutes = (app: FastifyInstance, deps: WebhookDeps) =>
  app.register(async (webhooks) => {
    // The signature is over the bytes: they are parsed only once it is known to be right.
    webhooks.removeAllContentTypeParsers();
    webhooks.addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body));
    webhooks.addHook("onRequest", async ({ headers }: FastifyRequest) => {
      if (!readSignatures(headers)) throw unsigned();
    });
    // Whoever has no secret can still send a signature that looks like one.
    addBodyAllowance(webhooks, maxBodyBytes, bodiesAtOnce * maxBodyBytes);

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
          syncPushed(deps, payload, request.log).catch((error) =>
            request.log.error({ err: error }, "a push was not followed"),
          );
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
