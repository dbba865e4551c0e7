// Liveness and readiness (D-35): on the API's own port, without the public prefix and without a token.
import Type from "typebox";
import { operation } from "./operation.ts";

const tag = "Health";

export const healthOperations = {
  getHealth: operation({
    method: "GET",
    path: "/healthz",
    tag,
    summary: "The process is alive",
    isPublic: true,
    response: { 200: Type.Object({ status: Type.Literal("ok") }) },
  }),
  getReadiness: operation({
    method: "GET",
    path: "/readyz",
    tag,
    summary: "The database is reachable and its migrations are applied",
    isPublic: true,
    response: { 200: Type.Object({ status: Type.Literal("ready") }) },
    problems: ["database_unavailable", "overloaded"],
  }),
};
