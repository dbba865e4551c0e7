// What the git host tells the service (D-33). Signed, not authenticated: the body is the host's own.
import Type from "typebox";
import { operation } from "./operation.ts";

export const webhookOperations = {
  receiveGitWebhook: operation({
    method: "POST",
    path: "/webhooks/git",
    tag: "Webhooks",
    summary: "Hear of a push to an agents repository",
    description:
      "JSON, signed with HMAC-SHA256 over its bytes in `X-Gitea-Signature`, `X-Forgejo-Signature` or `X-Hub-Signature-256`. Answered at once; the work follows.",
    isPublic: true,
    response: { 202: Type.Object({ status: Type.String() }) },
    problems: ["unauthenticated", "payload_too_large", "unsupported_media_type"],
  }),
};
