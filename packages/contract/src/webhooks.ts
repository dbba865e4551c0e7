// What the git host tells the service (D-33). Signed, not authenticated: the body is the host's own.
import Type from "typebox";
import { operation } from "./operation.ts";

const EventName = Type.Optional(
  Type.String({
    description: "What happened: `push`, `issues` and `pull_request` are followed, others are taken and ignored",
    examples: ["push"],
  }),
);

export const webhookOperations = {
  receiveGitWebhook: operation({
    method: "POST",
    path: "/webhooks/git",
    tag: "Webhooks",
    summary: "Deliver a webhook",
    description:
      "A push to an agents repository starts its synchronization; issues and pull requests are shown by the tasks that are linked to them. JSON, signed with HMAC-SHA256 over its bytes; of the three signatures those present must all match. Answered at once; the work follows.",
    isPublic: true,
    signatures: ["gitea_signature", "forgejo_signature", "hub_signature"],
    headers: Type.Object({ "x-gitea-event": EventName, "x-forgejo-event": EventName }),
    body: Type.Object({}, { description: "A delivery as Gitea and Forgejo send it" }),
    response: { 202: Type.Object({ status: Type.Literal("accepted") }, { description: "Taken; the work follows." }) },
    problems: ["unauthenticated"],
  }),
};
